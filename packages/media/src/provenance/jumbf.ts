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
  const labelEnd = bytes.indexOf(0, from + 1);
  return bytes.toString('utf8', from + 1, Math.min(labelEnd, description.end));
}
