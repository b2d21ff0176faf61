/** Names, types and extensions of the still formats that are read. */
export const IMAGE_FORMATS = {
  jpeg: { name: 'JPEG', contentType: 'image/jpeg', extension: 'jpg' },
  png: { name: 'PNG', contentType: 'image/png', extension: 'png' },
  webp: { name: 'WebP', contentType: 'image/webp', extension: 'webp' },
  gif: { name: 'GIF', contentType: 'image/gif', extension: 'gif' },
  bmp: { name: 'BMP', contentType: 'image/bmp', extension: 'bmp' },
  heif: { name: 'HEIF', contentType: 'image/heif', extension: 'heif' },
  avif: { name: 'AVIF', contentType: 'image/avif', extension: 'avif' },
} as const;

/** A still format that is read. */
export type ImageFormat = keyof typeof IMAGE_FORMATS;
/** A still format that is written. */
export type OutputFormat = 'png' | 'jpeg' | 'webp';
