import zlib from 'node:zlib';
import type { RangeReader } from '../range-reader.ts';

export interface Chunk {
  /** Name of four characters, for example `IHDR`. */
  type: string;
  /** Offset of the body in the file. */
  offset: number;
  length: number;
}

/** First eight bytes of every PNG (PNG, third edition, 5.2). */
export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Number of bytes of a chunk around its body: length, type and CRC. */
const CHUNK_OVERHEAD_BYTES = 12;

/** Lists the chunks of a PNG up to and including IEND (PNG, third edition, 5.3). */
export async function* pngChunks(reader: RangeReader): AsyncGenerator<Chunk> {
  for (let offset = PNG_SIGNATURE.length; ;) {
    const head = await reader.read(offset, 8);
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    yield { type, offset: offset + 8, length };
    if (type === 'IEND') return;
    offset += CHUNK_OVERHEAD_BYTES + length;
  }
}

/** Makes one complete chunk. */
export function writePngChunk(type: string, body: Uint8Array): Buffer {
  const chunk = Buffer.alloc(CHUNK_OVERHEAD_BYTES + body.length);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(body, 8);
  chunk.writeUInt32BE(zlib.crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length);
  return chunk;
}

/** Makes the body of IHDR for 8 bits a channel without interlacing. */
export function pngHeader(width: number, height: number, channels: 3 | 4): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 3 ? 2 : 6], 8);
  return header;
}
