import { createHash } from 'node:crypto';

/**
 * A superbox of JUMBF (ISO/IEC 19566-5) inside a C2PA manifest store. Offsets count from the
 * store's first byte.
 */
export interface JumbfBox {
  label: string;
  /** First byte of the box's head. */
  start: number;
  /** First byte after the box. */
  end: number;
  /** Superboxes inside this one. */
  children: JumbfBox[];
  /**
   * Content of the first content box (CBOR, JSON, ...); null for a box that holds only superboxes.
   */
  content: { type: string; start: number; end: number } | null;
}

/** Length of a box's head: its length and its type. */
const BOX_HEAD_BYTES = 8;

/** Deepest nesting that is read, so that hostile boxes cannot exhaust the stack. */
const MAX_NESTING_DEPTH = 8;

/** Bit of a description box's toggles that announces a label. */
const LABEL_FLAG = 0b10;

/**
 * Parses a superbox and all superboxes inside it.
 * @throws Error if the bytes are not a JUMBF superbox
 */
export function parseJumbf(bytes: Buffer, start = 0, depth = 0): JumbfBox {
  const box = boxAt(bytes, start, bytes.length);
  if (box.type !== 'jumb' || depth > MAX_NESTING_DEPTH) throw new Error('Not a JUMBF superbox.');
  const description = boxAt(bytes, start + BOX_HEAD_BYTES, box.end);
  const label = labelOf(bytes, start + BOX_HEAD_BYTES, description);
  const result: JumbfBox = { label, start, end: box.end, children: [], content: null };
  for (let at = description.end; at < box.end;) {
    const child = boxAt(bytes, at, box.end);
    if (child.type === 'jumb') result.children.push(parseJumbf(bytes, at, depth + 1));
    else result.content ??= { type: child.type, start: at + BOX_HEAD_BYTES, end: child.end };
    at = child.end;
  }
  return result;
}

/**
 * Finds a superbox by its label.
 * @throws Error if there is none
 */
export function childOf(box: JumbfBox, label: string): JumbfBox {
  const found = box.children.find((child) => child.label === label);
  if (!found) throw new Error(`The manifest has no ${label}.`);
  return found;
}

function boxAt(bytes: Buffer, start: number, limit: number): { type: string; end: number } {
  if (start + BOX_HEAD_BYTES > limit) throw new Error('A JUMBF box is cut off.');
  const end = start + bytes.readUInt32BE(start);
  if (end < start + BOX_HEAD_BYTES || end > limit) throw new Error('A JUMBF box has an impossible length.');
  return { type: bytes.toString('latin1', start + 4, start + 8), end };
}

/**
 * Reads the label of a description box, which holds a type of 16 bytes, the toggles and a label
 * that ends in a zero.
 */
function labelOf(bytes: Buffer, start: number, description: { type: string; end: number }): string {
  if (description.type !== 'jumd') throw new Error('A JUMBF superbox does not begin with its description.');
  const from = start + BOX_HEAD_BYTES + 16;
  if (from >= description.end || (bytes[from]! & LABEL_FLAG) === 0) return '';
  const label = bytes.subarray(from + 1, description.end);
  return label.toString('utf8', 0, label.indexOf(0));
}

/**
 * Copies the first box of a path without some children of the last one. The lengths of all boxes of
 * the path are corrected.
 * @param path boxes from the outermost to the one with the children
 */
export function withoutChildren(
  bytes: Buffer,
  path: readonly JumbfBox[],
  children: readonly JumbfBox[],
): Buffer {
  let edited = bytes.subarray(0, path[0]!.end);
  for (const { start, end } of children.toReversed())
    edited = spliced(edited, path, { start, end }, Buffer.alloc(0));
  return edited.subarray(path[0]!.start);
}

/**
 * Copies bytes with a range replaced, and corrects the lengths of the boxes around it.
 * @param around boxes that contain the range
 */
export function spliced(
  bytes: Buffer,
  around: readonly Pick<JumbfBox, 'start'>[],
  { start, end }: Pick<JumbfBox, 'start' | 'end'>,
  replacement: Uint8Array,
): Buffer {
  const edited = Buffer.concat([bytes.subarray(0, start), replacement, bytes.subarray(end)]);
  for (const box of around) {
    const length = bytes.readUInt32BE(box.start) + edited.length - bytes.length;
    edited.writeUInt32BE(length, box.start);
  }
  return edited;
}

/** Hashes a box as a reference to it does: the bytes after its head (C2PA, hashed URIs). */
export function hashOfBox(bytes: Buffer, { start, end }: Pick<JumbfBox, 'start' | 'end'>): Buffer {
  return createHash('sha256')
    .update(bytes.subarray(start + 8, end))
    .digest();
}

/** Returns a view of the box's content in `bytes`. */
export function contentOf(bytes: Buffer, { content, label }: JumbfBox): Buffer {
  if (!content) throw new Error(`The manifest's ${label} is empty.`);
  return bytes.subarray(content.start, content.end);
}

/**
 * Replaces bytes by others of equal length.
 * @throws Error unless the bytes occur once
 */
export function replaceOnce(bytes: Buffer, old: Buffer, replacement: Uint8Array): void {
  const at = bytes.indexOf(old);
  if (at < 0 || bytes.includes(old, at + 1)) throw new Error('The manifest is not laid out as expected.');
  bytes.set(replacement, at);
}
