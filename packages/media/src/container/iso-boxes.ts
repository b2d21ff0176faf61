/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2), without its 8-byte head. */
export interface Box {
  type: string;
  body: Buffer;
}

/**
 * Largest number of boxes that are read inside one container. Real files have fewer; a hostile file
 * may consist of 8-byte boxes.
 */
const MAX_SIBLING_BOXES = 20_000;

/**
 * Lists the neighbouring boxes in `bytes` from `offset`. Stops at the first box that does not fit.
 */
export function readBoxes(bytes: Buffer, offset: number): Box[] {
  const boxes: Box[] = [];
  for (let at = offset; at + 8 <= bytes.length && boxes.length < MAX_SIBLING_BOXES;) {
    const length = bytes.readUInt32BE(at);
    // Lengths 0 (to the end) and 1 (64-bit) are for the top level. No box inside `meta` is that
    // large.
    if (length < 8 || at + length > bytes.length) break;
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + length) });
    at += length;
  }
  return boxes;
}

export function findBox(boxes: readonly Box[], type: string): Box | undefined {
  return boxes.find((box) => box.type === type);
}
