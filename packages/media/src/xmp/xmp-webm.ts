import { open, type FileHandle } from 'node:fs/promises';
import type { WrittenFile } from '../write-durably.ts';
import { rewriteFile } from '../rewrite-file.ts';
import { bytesAt } from '../container/bytes-at.ts';

/**
 * Identifier of the EBML header, with its length mark like all identifiers below (RFC 8794,
 * 11.2.1).
 */
const EBML_ID = 0x1a45dfa3;

/** Identifier of the element that holds the rest of the file (RFC 9559, 5.1). */
const SEGMENT_ID = 0x18538067;

/** Identifier of the element that holds all tags. */
const TAGS_ID = 0x1254c367;

/** Identifier of one tag: its targets and its name-value pairs. */
const TAG_ID = 0x7373;

/**
 * Identifier of the element that names what a tag is about. An empty element means the whole file.
 */
const TARGETS_ID = 0x63c0;

/** Identifier of one name-value pair. */
const SIMPLE_TAG_ID = 0x67c8;

/** Identifier of a pair's name. */
const TAG_NAME_ID = 0x45a3;

/** Identifier of a pair's text. */
const TAG_STRING_ID = 0x4487;

/**
 * Name of the tag that holds the packet. No standard defines a place for XMP in WebM; other writers
 * use this name.
 */
const XMP_TAG_NAME = 'XMP';

/** Largest `Tags` element that is read. Larger elements are skipped. */
const MAX_TAGS_BYTES = 1024 * 1024;

/** Largest number of elements that are read before the rest of the file is ignored. */
const MAX_ELEMENTS = 100_000;

/** Position of an EBML_ID element in the file; offsets in bytes. */
interface Element {
  id: number;
  /** First byte of the identifier. */
  start: number;
  /** First byte of the length field. */
  sizeAt: number;
  /** First byte of the body. */
  bodyStart: number;
  /**
   * First byte after the body; null if the length is unknown and the element lasts to the end of
   * the file.
   */
  end: number | null;
}

/**
 * Appends the packet to a WebM file as a tag. The only other change is the length of the segment.
 * @throws Error for a damaged file, or if its segment does not end the file or has a length field
 * that is too short
 */
export async function writeXmpToWebm(filePath: string, packet: string): Promise<WrittenFile> {
  const simple = [
    element(TAG_NAME_ID, Buffer.from(XMP_TAG_NAME)),
    element(TAG_STRING_ID, Buffer.from(packet)),
  ];
  const tag = [element(TARGETS_ID, Buffer.alloc(0)), element(SIMPLE_TAG_ID, Buffer.concat(simple))];
  const tags = element(TAGS_ID, element(TAG_ID, Buffer.concat(tag)));
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

/**
 * Reads the packet of a WebM file; null if it has none.
 * @throws Error for a damaged file
 */
export async function readXmpFromWebm(filePath: string): Promise<string | null> {
  await using file = await open(filePath, 'r');
  const sizeBytes = (await file.stat()).size;
  const segment = await findSegment(file, sizeBytes);
  for await (const child of elements(file, segment.bodyStart, segment.end ?? sizeBytes)) {
    if (child.id !== TAGS_ID || child.end === null || child.end - child.bodyStart > MAX_TAGS_BYTES) continue;
    const body = await bytesAt(file, child.bodyStart, child.end - child.bodyStart);
    const packet = xmpIn(body);
    if (packet !== null) return packet;
  }
  return null;
}

async function findSegment(file: FileHandle, sizeBytes: number): Promise<Element> {
  for await (const each of elements(file, 0, sizeBytes)) {
    if (each.start === 0 && each.id !== EBML_ID) break;
    if (each.id === SEGMENT_ID) return each;
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
    // A cluster of unknown length ends where the next cluster begins, so its children are read as
    // if they were its siblings.
    at = end ?? bodyStart;
  }
}

/**
 * Parses an identifier of 1 to 4 bytes and a length of 1 to 8 bytes (RFC 8794, 4 to 6). A length
 * whose bits are all ones means unknown.
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
  for (const tag of children(tags, TAG_ID)) {
    for (const simple of children(tag, SIMPLE_TAG_ID)) {
      const [name] = children(simple, TAG_NAME_ID);
      const [value] = children(simple, TAG_STRING_ID);
      if (value && name?.toString('utf8') === XMP_TAG_NAME) return value.toString('utf8');
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

/**
 * Makes a length field of `bytes` bytes.
 * @throws Error if the length does not fit, or has only ones, which would mean unknown
 */
function lengthField(length: number, bytes: number): Buffer {
  if (length >= 2 ** (7 * bytes) - 1) throw new Error('The segment is too long for its length field.');
  const field = Buffer.alloc(8);
  field.writeBigUInt64BE(BigInt(length) | (1n << BigInt(7 * bytes)));
  return field.subarray(8 - bytes);
}
