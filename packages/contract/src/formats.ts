/** Properties of a file format. */
interface Format {
  /** Name in messages. */
  readonly name: string;
  readonly contentType: string;
  /** Extensions of file names, without the dot. Files that guise writes get the first one. */
  readonly extensions: readonly [string, ...string[]];
  /** Whether guise also writes this format. */
  readonly canWrite: boolean;
}

/**
 * Formats of stills that guise reads, recognised by content. HEIC and HEIF have the same container,
 * so they count as one format.
 */
export const IMAGE_FORMATS = {
  jpeg: { name: 'JPEG', contentType: 'image/jpeg', extensions: ['jpg', 'jpeg'], canWrite: true },
  png: { name: 'PNG', contentType: 'image/png', extensions: ['png'], canWrite: true },
  webp: { name: 'WebP', contentType: 'image/webp', extensions: ['webp'], canWrite: true },
  gif: { name: 'GIF', contentType: 'image/gif', extensions: ['gif'], canWrite: false },
  bmp: { name: 'BMP', contentType: 'image/bmp', extensions: ['bmp'], canWrite: false },
  heif: { name: 'HEIC/HEIF', contentType: 'image/heif', extensions: ['heif', 'heic'], canWrite: false },
  avif: { name: 'AVIF', contentType: 'image/avif', extensions: ['avif'], canWrite: false },
} as const satisfies Readonly<Record<string, Format>>;

/** Formats of videos and animations that guise reads, recognised by content. */
export const CLIP_FORMATS = {
  mp4: { name: 'MP4', contentType: 'video/mp4', extensions: ['mp4'], canWrite: true },
  mov: { name: 'MOV', contentType: 'video/quicktime', extensions: ['mov'], canWrite: true },
  webm: { name: 'WebM', contentType: 'video/webm', extensions: ['webm'], canWrite: true },
  gif: { name: 'GIF', contentType: 'image/gif', extensions: ['gif'], canWrite: true },
  mkv: { name: 'Matroska', contentType: 'video/x-matroska', extensions: ['mkv'], canWrite: false },
  avi: { name: 'AVI', contentType: 'video/x-msvideo', extensions: ['avi'], canWrite: false },
  ts: { name: 'MPEG-TS', contentType: 'video/mp2t', extensions: ['ts', 'm2ts', 'mts'], canWrite: false },
} as const satisfies Readonly<Record<string, Format>>;

export type ImageFormat = keyof typeof IMAGE_FORMATS;
export type ClipFormat = keyof typeof CLIP_FORMATS;
type Made<Table extends Readonly<Record<string, Format>>> = {
  [Each in keyof Table]: Table[Each]['canWrite'] extends true ? Each : never;
}[keyof Table];
/** Formats of stills that guise writes. */
export type StillFormat = Made<typeof IMAGE_FORMATS>;
/** Formats of clips that guise writes. */
export type ClipOutputFormat = Made<typeof CLIP_FORMATS>;
/** Formats of clips with sound that guise writes. */
export type VideoFormat = Exclude<ClipOutputFormat, 'gif'>;

/** All formats. GIF, which is both a still and a clip, comes first as a still. */
const FORMATS: readonly Format[] = [...Object.values(IMAGE_FORMATS), ...Object.values(CLIP_FORMATS)];

/**
 * Returns whether guise writes this format, so that a client can get the result in the format of
 * its clip.
 */
export function canWrite(format: ClipFormat): format is ClipOutputFormat {
  return CLIP_FORMATS[format].canWrite;
}

/**
 * Returns the format that guise writes for a still with this file name; undefined if there is none.
 */
export function stillFormatOf(fileName: string): StillFormat | undefined {
  return made(IMAGE_FORMATS, fileName) as StillFormat | undefined;
}

/**
 * Returns the format that guise writes for a clip with this file name; undefined if there is none.
 */
export function clipOutputFormatOf(fileName: string): ClipOutputFormat | undefined {
  return made(CLIP_FORMATS, fileName) as ClipOutputFormat | undefined;
}

function made(table: Readonly<Record<string, Format>>, fileName: string): string | undefined {
  const extension = extensionOf(fileName);
  return Object.keys(table).find(
    (each) => table[each]!.canWrite && table[each]!.extensions.includes(extension),
  );
}

/** Returns the content type for a file name; undefined if no format has its extension. */
export function contentTypeOf(fileName: string): string | undefined {
  const extension = extensionOf(fileName);
  return FORMATS.find(({ extensions }) => extensions.includes(extension))?.contentType;
}

/**
 * Returns the first file extension of a content type, without the dot; undefined if no format has
 * this type.
 */
export function extensionOfType(contentType: string): string | undefined {
  return FORMATS.find((format) => format.contentType === contentType)?.extensions[0];
}

/**
 * Like `path.extname`, but without the dot and in lower case. `path` is not used, because this file
 * also runs in browsers.
 */
function extensionOf(fileName: string): string {
  return /[^/\\]\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}
