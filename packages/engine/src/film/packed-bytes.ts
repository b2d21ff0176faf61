import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Number of bytes of a length before the header. */
const LENGTH_BYTES = 4;
/** Largest size of a header. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024;
/** Level of compression, of 9. A higher level takes longer than it saves. */
const EFFORT = 3;

/** Joins a header and blocks of bytes. `unpack` reverses this. */
export function pack(header: unknown, blocks: readonly Uint8Array[]): Buffer {
  const json = Buffer.from(JSON.stringify({ header, blocks: blocks.map(({ length }) => length) }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, ...blocks]);
}

/**
 * Separates what `pack` has joined. An attacker may control the machine that wrote it, so the
 * caller must check the header.
 * @throws Error if the bytes are damaged
 */
export function unpack(bytes: Buffer): { header: unknown; blocks: Buffer[] } {
  const length = bytes.length < LENGTH_BYTES ? Infinity : bytes.readUInt32BE();
  if (length > MAX_HEADER_BYTES || LENGTH_BYTES + length > bytes.length)
    throw new Error('A file of a film has no header.');
  const { header, blocks } = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + length)) as {
    header?: unknown;
    blocks?: unknown;
  };
  if (!Array.isArray(blocks) || !blocks.every((size) => isCount(size, bytes.length)))
    throw new Error("A film's file is damaged.");
  let at = LENGTH_BYTES + length;
  const parts = (blocks as number[]).map((size) => bytes.subarray(at, (at += size)));
  if (at !== bytes.length) throw new Error("A film's file is not complete.");
  return { header, blocks: parts };
}

/** Compresses bytes. */
export function deflate(values: Uint8Array): Buffer {
  return deflateRawSync(values, { level: EFFORT });
}

/**
 * Decompresses a block. Returns bytes that are aligned for any typed array.
 * @throws Error if the result has not exactly `size` bytes
 */
export function inflate(block: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const bytes = inflateRawSync(block, { maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size) throw new Error("A film's file is not complete.");
  return new Uint8Array(bytes);
}

/** Returns whether a value is a whole number from 0 to `most`. */
export function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

/** Returns whether a value is a side from which a face can be lit, -1 to 1. */
export function isSide(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 1;
}

/** @throws Error if guise did not write the file */
export function mustHold(condition: boolean): asserts condition {
  if (!condition) throw new Error('A temporary file of the video contains an invalid value.');
}
