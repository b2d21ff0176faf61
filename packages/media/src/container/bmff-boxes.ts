import type { FileHandle } from 'node:fs/promises';

/**
 * A box at the top level of an MP4 or MOV file (ISO/IEC 14496-12, 4.2). Offsets are in bytes from
 * the start of the file.
 */
export interface TopLevelBox {
  type: string;
  start: number;
  /**
   * First byte after the head, which is 8 or 16 bytes long. The body of a `uuid` box starts after
   * its user type.
   */
  bodyStart: number;
  end: number;
  /** User type of a `uuid` box in lower-case hex; null for every other box. */
  userType: string | null;
}

/**
 * Largest number of top-level boxes that are read. Real files have far fewer; a hostile file may
 * consist of empty boxes.
 */
const MAX_TOP_LEVEL_BOXES = 100_000;

/** Length of the user type that follows the head of a `uuid` box. */
const USER_TYPE_BYTES = 16;

/**
 * Lists the top-level boxes of a file.
 * @throws Error if the file is not a complete sequence of boxes, or has more than 100,000
 */
export async function topLevelBoxes(file: FileHandle, sizeBytes: number): Promise<TopLevelBox[]> {
  const boxes: TopLevelBox[] = [];
  const head = Buffer.alloc(32);
  for (let start = 0; start < sizeBytes;) {
    const { bytesRead } = await file.read(head, 0, head.length, start);
    const box = readHead(head.subarray(0, bytesRead), start, sizeBytes);
    if (!box || boxes.length === MAX_TOP_LEVEL_BOXES)
      throw new Error('The file is not a sequence of MP4 boxes.');
    boxes.push(box);
    start = box.end;
  }
  return boxes;
}

function readHead(head: Buffer, start: number, sizeBytes: number): TopLevelBox | null {
  if (head.length < 8) return null;
  const short = head.readUInt32BE(0);
  if (short === 1 && head.length < 16) return null;
  const length = short === 0 ? sizeBytes - start : short === 1 ? Number(head.readBigUInt64BE(8)) : short;
  const headBytes = short === 1 ? 16 : 8;
  const type = head.toString('latin1', 4, 8);
  const isUser =
    type === 'uuid' && head.length >= headBytes + USER_TYPE_BYTES && length >= headBytes + USER_TYPE_BYTES;
  if (length < headBytes || start + length > sizeBytes) return null;
  return {
    type,
    start,
    bodyStart: start + headBytes + (isUser ? USER_TYPE_BYTES : 0),
    end: start + length,
    userType: isUser ? head.toString('hex', headBytes, headBytes + USER_TYPE_BYTES) : null,
  };
}

/**
 * Makes a `uuid` box.
 * @param userType 32 hex digits
 */
export function userBox(userType: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + USER_TYPE_BYTES + body.length, 0);
  head.write('uuid', 4, 'latin1');
  return Buffer.concat([head, Buffer.from(userType, 'hex'), body]);
}

/**
 * Types of the boxes that lead from `moov` down to the tables of chunk offsets (ISO/IEC 14496-12,
 * 8.7.5).
 */
const CHUNK_TABLE_PARENT_TYPES = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/**
 * Adds `deltaBytes` to every chunk offset of at least `from` in the whole `moov` box, in place, as
 * is needed after the bytes at `from` have moved.
 * @throws Error for a damaged box, or if a 32-bit offset would exceed 4 GiB
 */
export function moveChunkOffsets(moov: Buffer, from: number, deltaBytes: number): void {
  for (let at = 0; at + 8 <= moov.length;) {
    const length = moov.readUInt32BE(at);
    if (length < 8 || at + length > moov.length) throw new Error('A box in the movie header is damaged.');
    const type = moov.toString('latin1', at + 4, at + 8);
    const body = moov.subarray(at + 8, at + length);
    if (CHUNK_TABLE_PARENT_TYPES.has(type)) moveChunkOffsets(body, from, deltaBytes);
    else if (type === 'stco') moveEntries(body, 4, from, deltaBytes);
    else if (type === 'co64') moveEntries(body, 8, from, deltaBytes);
    at += length;
  }
}

function moveEntries(table: Buffer, entryBytes: 4 | 8, from: number, deltaBytes: number): void {
  const count = table.length >= 8 ? table.readUInt32BE(4) : Infinity;
  if (8 + count * entryBytes > table.length) throw new Error('A table of chunk offsets is damaged.');
  for (let at = 8; at < 8 + count * entryBytes; at += entryBytes) {
    const offset = entryBytes === 4 ? table.readUInt32BE(at) : Number(table.readBigUInt64BE(at));
    if (offset < from) continue;
    const moved = offset + deltaBytes;
    if (entryBytes === 8) table.writeBigUInt64BE(BigInt(moved), at);
    else if (moved <= 0xffff_ffff) table.writeUInt32BE(moved, at);
    else throw new Error('The file is too large for its 32-bit chunk offsets.');
  }
}
