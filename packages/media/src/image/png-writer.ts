import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { type ImageWithAlpha, joinAlpha } from './alpha.ts';
import { PNG_SIGNATURE, pngHeader, writePngChunk } from '../container/png-chunks.ts';
import { filterRows } from './png-filter.ts';

/**
 * Number of bytes that are filtered at once. The thread pool deflates one strip while this thread
 * filters the next.
 */
const STRIP_BYTES = 512 * 1024;

/** Keyword of the text chunk that holds XMP (XMP part 3, ISO 16684-3). */
const XMP_CHUNK_KEYWORD = 'XML:com.adobe.xmp';

/**
 * Deflate settings that look for runs only. After the Paeth filter, longer matches save little on
 * photographs and cost most of the time.
 *
 * Measured on 0.86 megapixels and one core: 44 ms for 1.33 MB. libpng through sharp takes 70 ms for
 * 1.40 MB, and puts XMP into zTXt, where readers do not look.
 */
const DEFLATE_OPTIONS = {
  strategy: zlib.constants.Z_RLE,
  chunkSize: 256 * 1024,
  highWaterMark: 2 * STRIP_BYTES,
} as const;

/**
 * Yields an 8-bit sRGB PNG piece by piece, with an XMP packet, and with alpha if the image has any.
 */
export async function* writePng(image: ImageWithAlpha, xmp: string): AsyncGenerator<Uint8Array> {
  const { width, height } = image.rgb;
  yield PNG_SIGNATURE;
  yield writePngChunk('IHDR', pngHeader(width, height, image.alpha ? 4 : 3));
  // Rendering intent 0 is perceptual. This chunk declares sRGB in 13 bytes instead of a profile.
  yield writePngChunk('sRGB', Buffer.of(0));
  // The bytes after the keyword: not compressed (0, method 0), no language, no translated keyword.
  yield writePngChunk('iTXt', Buffer.from(`${XMP_CHUNK_KEYWORD}\0\0\0\0\0${xmp}`, 'utf8'));
  const compressed = Readable.from(filteredStrips(image)).compose(zlib.createDeflate(DEFLATE_OPTIONS));
  for await (const piece of compressed) yield writePngChunk('IDAT', piece as Buffer);
  yield writePngChunk('IEND', Buffer.alloc(0));
}

function* filteredStrips({ rgb, alpha }: ImageWithAlpha): Generator<Uint8Array> {
  const channels = alpha ? 4 : 3;
  const rowBytes = rgb.width * channels;
  const stripRows = Math.max(1, Math.floor(STRIP_BYTES / rowBytes));
  for (let top = 0; top < rgb.height; top += stripRows) {
    const above = top === 0 ? 0 : 1;
    const from = (top - above) * rgb.width;
    const to = Math.min(rgb.height, top + stripRows) * rgb.width;
    const colours = rgb.data.subarray(from * 3, to * 3);
    const pixels = alpha ? joinAlpha(colours, alpha.subarray(from, to)) : colours;
    yield filterRows(pixels, rowBytes, channels, above === 1);
  }
}
