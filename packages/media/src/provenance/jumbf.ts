/**
 * A superbox of JUMBF (ISO/IEC 19566-5) inside a C2PA manifest store; offsets are into the store's
 * bytes.
 */
export interface JumbfBox {
  label: string;
  /** First byte of the box's head. */
  start: number;
  /** Behind its last byte. */
  end: number;
  /** Superboxes within. */
  children: JumbfBox[];
  /**
   * Where the content of its first content box (CBOR, JSON, ...) lies; null for one that only holds
   * superboxes.
   */
  content: { type: string; start: number; end: number } | null;
}

const HEAD_BYTES = 8;
const MAX_DEPTH = 8;
/** Bits of a description box's toggles: a label follows. */
const HAS_LABEL = 0b10;

/** @throws Error where the bytes are no JUMBF superbox */
export function parseJumbf(bytes: Buffer, start = 0, depth = 0): JumbfBox {
  const box = boxAt(bytes, start, bytes.length);
  if (box.type !== 'jumb' || depth > MAX_DEPTH) throw new Error('Not a JUMBF superbox.');
  const description = boxAt(bytes, start + HEAD_BYTES, box.end);
  const label = labelOf(bytes, start + HEAD_BYTES, description);
  const result: JumbfBox = { label, start, end: box.end, children: [], content: null };
  for (let at = description.end; at < box.end;) {
    const child = boxAt(bytes, at, box.end);
    if (child.type === 'jumb') result.children.push(parseJumbf(bytes, at, depth + 1));
    else result.content ??= { type: child.type, start: at + HEAD_BYTES, end: child.end };
    at = child.end;
  }
  return result;
}

/** @throws Error where there is none */
export function childOf(box: JumbfBox, label: string): JumbfBox {
  const found = box.children.find((child) => child.label === label);
  if (!found) throw new Error(`The manifest has no ${label}.`);
  return found;
}

function boxAt(bytes: Buffer, start: number, limit: number): { type: string; end: number } {
  if (start + HEAD_BYTES > limit) throw new Error('A JUMBF box is cut off.');
  const end = start + bytes.readUInt32BE(start);
  if (end < start + HEAD_BYTES || end > limit) throw new Error('A JUMBF box has an impossible length.');
  return { type: bytes.toString('latin1', start + 4, start + 8), end };
}

/** A description box holds a type of 16 bytes, the toggles, and a label that ends in a zero. */
function labelOf(bytes: Buffer, start: number, description: { type: string; end: number }): string {
  if (description.type !== 'jumd') throw new Error('A JUMBF superbox does not begin with its description.');
  const from = start + HEAD_BYTES + 16;
  if (from >= description.end || (bytes[from]! & HAS_LABEL) === 0) return '';
  const labelEnd = bytes.indexOf(0, from + 1);
  return bytes.toString('utf8', from + 1, Math.min(labelEnd, description.end));
}
