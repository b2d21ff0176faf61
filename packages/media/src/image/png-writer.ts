import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { type ImageWithAlpha, joinAlpha } from './alpha.ts';
import { PNG_SIGNATURE, pngHeader, writePngChunk } from '../container/png-chunks.ts';
import { filterRows } from './png-filter.ts';

/**
 * Pixels filtered in one go: the thread pool deflates one strip while this thread filters the next.
 */
const STRIP_BYTES = 512 * 1024;
const XMP_KEYWORD = 'XML:com.adobe.xmp';

/**
 * Runs only: behind the Paeth filter, matches at a distance gain photographs little and cost most
 * of the time. Measured at 0.86 megapixels on one core: 44 ms and 1.33 MB, where libpng through
 * sharp takes 70 ms for 1.40 MB (and puts XMP into zTXt, where readers do not look).
 */
const DEFLATE = {
  strategy: zlib.constants.Z_RLE,
  chunkSize: 256 * 1024,
  highWaterMark: 2 * STRIP_BYTES,
} as const;

/**
 * The bytes of an 8-bit sRGB PNG, with alpha where the image has some and an XMP packet. Piece by
 * piece.
 */
export async function* writePng(image: ImageWithAlpha, xmp: string): AsyncGenerator<Uint8Array> {
  const { width, height } = image.rgb;
  yield PNG_SIGNATURE;
  yield writePngChunk('IHDR', pngHeader(width, height, image.alpha ? 4 : 3));
  // Rendering intent 0, perceptual: says sRGB in 13 bytes, and no reader has a profile to apply.
  yield writePngChunk('sRGB', Buffer.of(0));
  // Keyword, not compressed (0, method 0), no language, no translated keyword.
  yield writePngChunk('iTXt', Buffer.from(`${XMP_KEYWORD}\0\0\0\0\0${xmp}`, 'utf8'));
  const compressed = Readable.from(filteredStrips(image)).compose(zlib.createDeflate(DEFLATE));
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
