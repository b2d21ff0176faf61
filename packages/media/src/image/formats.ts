/**
 * The still formats that are read, and the three that are written. One table for types, extensions
 * and names.
 */
export const IMAGE_FORMATS = {
  jpeg: { name: 'JPEG', contentType: 'image/jpeg', extension: 'jpg' },
  png: { name: 'PNG', contentType: 'image/png', extension: 'png' },
  webp: { name: 'WebP', contentType: 'image/webp', extension: 'webp' },
  gif: { name: 'GIF', contentType: 'image/gif', extension: 'gif' },
  bmp: { name: 'BMP', contentType: 'image/bmp', extension: 'bmp' },
  heif: { name: 'HEIF', contentType: 'image/heif', extension: 'heif' },
  avif: { name: 'AVIF', contentType: 'image/avif', extension: 'avif' },
} as const;

export type ImageFormat = keyof typeof IMAGE_FORMATS;
/** What results are written as. */
export type OutputFormat = 'png' | 'jpeg' | 'webp';
