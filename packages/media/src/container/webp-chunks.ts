import type { RangeReader } from '../range-reader.ts';
import type { Chunk } from './png-chunks.ts';

/** Offset of the first chunk, after `RIFF`, the file's length and `WEBP`. */
const FIRST_CHUNK_OFFSET = 12;

/** Lists the RIFF chunks of a WebP (RFC 9649, 2.3 to 2.5). */
export async function* webpChunks(reader: RangeReader): AsyncGenerator<Chunk> {
  const end = Math.min(reader.sizeBytes, 8 + (await reader.read(4, 4)).readUInt32LE(0));
  for (let offset = FIRST_CHUNK_OFFSET; offset + 8 <= end;) {
    const head = await reader.read(offset, 8);
    const length = head.readUInt32LE(4);
    yield { type: head.toString('latin1', 0, 4), offset: offset + 8, length };
    offset += 8 + length + (length & 1);
  }
}
