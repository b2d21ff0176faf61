import { open, type FileHandle } from 'node:fs/promises';
import type { WrittenFile } from '../write-durably.ts';
import { rewriteFile } from '../rewrite-file.ts';

// EBML element identifiers (RFC 8794, RFC 9559), with their length marks.
const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const TAGS = 0x1254c367;
const TAG = 0x7373;
const TARGETS = 0x63c0;
const SIMPLE_TAG = 0x67c8;
const TAG_NAME = 0x45a3;
const TAG_STRING = 0x4487;

/**
 * No standard says where XMP goes in WebM: this is a tag of this name, as others write it, for the
 * whole file.
 */
const XMP_TAG = 'XMP';
const MAX_TAGS_BYTES = 1024 * 1024;
const MAX_ELEMENTS = 100_000;

interface Element {
  id: number;
  /**
   * Of its identifier, of its length, and behind its body; null: of unknown length, to the end of
   * the file.
   */
  start: number;
  sizeAt: number;
  bodyStart: number;
  end: number | null;
}

/**
 * Appends the packet to a WebM file as a tag, in place; nothing else moves, and only the length of
 * the segment changes.
 * @throws Error for a damaged file, or one whose segment does not end the file or whose length
 * field has no room
 */
export async function writeXmpToWebm(filePath: string, packet: string): Promise<WrittenFile> {
  const simple = [element(TAG_NAME, Buffer.from(XMP_TAG)), element(TAG_STRING, Buffer.from(packet))];
  const tag = [element(TARGETS, Buffer.alloc(0)), element(SIMPLE_TAG, Buffer.concat(simple))];
  const tags = element(TAGS, element(TAG, Buffer.concat(tag)));
  return await rewriteFile(filePath, async function* ({ file, sizeBytes, copy }) {
    const segment = await findSegment(file, sizeBytes);
    yield* copy(0, segment.sizeAt);
    if (segment.end === null) {
      yield* copy(segment.sizeAt, segment.bodyStart);
    } else {
      if (segment.end !== sizeBytes) throw new Error('The segment does not end the file.');
      const fieldBytes = segment.bodyStart - segment.sizeAt;
      yield lengthField(segment.end - segment.bodyStart + tags.length, fieldBytes);
    }
    yield* copy(segment.bodyStart, sizeBytes);
    yield tags;
  });
}

/** The packet of a WebM file; null where it has none. @throws Error for a damaged file */
export async function readXmpFromWebm(filePath: string): Promise<string | null> {
  const file = await open(filePath, 'r');
  try {
    const sizeBytes = (await file.stat()).size;
    const segment = await findSegment(file, sizeBytes);
    for await (const child of elements(file, segment.bodyStart, segment.end ?? sizeBytes)) {
      if (child.id !== TAGS || child.end === null || child.end - child.bodyStart > MAX_TAGS_BYTES) continue;
      const body = await bytesAt(file, child.bodyStart, child.end - child.bodyStart);
      const packet = xmpIn(body);
      if (packet !== null) return packet;
    }
    return null;
  } finally {
    await file.close();
  }
}

async function findSegment(file: FileHandle, sizeBytes: number): Promise<Element> {
  for await (const each of elements(file, 0, sizeBytes)) {
    if (each.start === 0 && each.id !== EBML) break;
    if (each.id === SEGMENT) return each;
  }
  throw new Error('Not a WebM file.');
}

async function* elements(file: FileHandle, from: number, to: number): AsyncGenerator<Element> {
  let at = from;
  for (let count = 0; at < to && count < MAX_ELEMENTS; count++) {
    const head = parseHead(await bytesAt(file, at, 12));
    if (!head) throw new Error('An EBML element is damaged.');
    const bodyStart = at + head.bytes;
    const end = head.length === null ? null : bodyStart + head.length;
    if (end !== null && end > to) throw new Error('An EBML element is cut off.');
    yield { id: head.id, start: at, sizeAt: at + head.idBytes, bodyStart, end };
    // A cluster of unknown length ends where the next begins: its children are walked as if they
    // were its siblings.
    at = end ?? bodyStart;
  }
}

/**
 * Identifier of 1 to 4 bytes and length of 1 to 8 (RFC 8794, 4 to 6); all ones for the length means
 * unknown.
 */
function parseHead(
  bytes: Buffer,
): { id: number; idBytes: number; bytes: number; length: number | null } | null {
  const idBytes = Math.clz32(bytes[0] ?? 0) - 23;
  const sizeBytes = Math.clz32(bytes[idBytes] ?? 0) - 23;
  if (idBytes > 4 || sizeBytes > 8 || bytes.length < idBytes + sizeBytes) return null;
  let length = bytes[idBytes]! & (0xff >> sizeBytes);
  let isUnknown = length === 0xff >> sizeBytes;
  for (const byte of bytes.subarray(idBytes + 1, idBytes + sizeBytes)) {
    length = length * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return {
    id: bytes.readUIntBE(0, idBytes),
    idBytes,
    bytes: idBytes + sizeBytes,
    length: isUnknown ? null : length,
  };
}

function xmpIn(tags: Buffer): string | null {
  for (const tag of children(tags, TAG)) {
    for (const simple of children(tag, SIMPLE_TAG)) {
      const [name] = children(simple, TAG_NAME);
      const [value] = children(simple, TAG_STRING);
      if (value && name?.toString('utf8') === XMP_TAG) return value.toString('utf8');
    }
  }
  return null;
}

function children(body: Buffer, id: number): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const head = parseHead(body.subarray(at, at + 12));
    if (!head || head.length === null) break;
    const end = at + head.bytes + head.length;
    if (head.id === id && end <= body.length) found.push(body.subarray(at + head.bytes, end));
    at = end;
  }
  return found;
}

function element(id: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(id);
  return Buffer.concat([head.subarray(head.findIndex(Boolean)), lengthField(body.length, 4), body]);
}

/** @throws Error where `bytes` bytes are too few for the length; all ones would mean unknown */
function lengthField(length: number, bytes: number): Buffer {
  if (length >= 2 ** (7 * bytes) - 1) throw new Error('The length of the segment has no room.');
  const field = Buffer.alloc(8);
  field.writeBigUInt64BE(BigInt(length) | (1n << BigInt(7 * bytes)));
  return field.subarray(8 - bytes);
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}
