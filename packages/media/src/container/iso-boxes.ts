/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2), without its 8-byte head. */
export interface Box {
  type: string;
  body: Buffer;
}

/** More than any real file has in one container; a hostile one may be nothing but 8-byte boxes. */
const MAX_BOXES = 20_000;

/**
 * The boxes that lie side by side in `bytes` from `offset`; stops at the first that does not fit.
 */
export function readBoxes(bytes: Buffer, offset: number): Box[] {
  const boxes: Box[] = [];
  for (let at = offset; at + 8 <= bytes.length && boxes.length < MAX_BOXES;) {
    const length = bytes.readUInt32BE(at);
    // 0 (to the end) and 1 (64-bit) are for the top level only: nothing inside `meta` is that
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
