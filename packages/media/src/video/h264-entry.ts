/** Types of NAL units (ITU-T H.264, table 7-1). */
const NAL = { idr: 5, sei: 6 };
/** Type of the SEI message that announces a recovery point (D.1.7). */
const RECOVERY_POINT = 6;

/**
 * Returns whether a key frame of H.264 decodes to a complete picture. The result is false if the
 * stream refreshes the picture gradually, over the following frames.
 * @param packet NAL units, each after a start code or after its length in four bytes
 */
export function isWholeKeyFrame(packet: Uint8Array): boolean {
  const data = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  for (const nal of nalUnits(data)) {
    const type = (nal[0] ?? 0) & 0x1f;
    if (type === NAL.idr) return true;
    if (type === NAL.sei && recoversLater(nal)) return false;
  }
  return true;
}

/**
 * Returns whether an SEI unit announces a recovery point that is reached only after further
 * pictures.
 */
function recoversLater(sei: Buffer): boolean {
  let at = 1;
  while (at + 2 < sei.length) {
    let type = 0;
    for (; sei[at] === 0xff; at += 1) type += 255;
    type += sei[at++] ?? 0;
    let bytes = 0;
    for (; sei[at] === 0xff; at += 1) bytes += 255;
    bytes += sei[at++] ?? 0;
    // The message begins with the number of pictures, in Exp-Golomb code. A single set bit means 0.
    if (type === RECOVERY_POINT) return ((sei[at] ?? 0x80) & 0x80) === 0;
    at += bytes;
  }
  return false;
}

function* nalUnits(data: Buffer): Generator<Buffer, void, undefined> {
  const startCode = Buffer.from([0, 0, 1]);
  const hasStartCodes = data.subarray(0, 4).indexOf(startCode) >= 0;
  if (hasStartCodes) {
    for (let at = data.indexOf(startCode); at >= 0;) {
      const next = data.indexOf(startCode, at + 3);
      yield data.subarray(at + 3, next < 0 ? data.length : next);
      at = next;
    }
    return;
  }
  for (let at = 0; at + 4 < data.length;) {
    const bytes = data.readUInt32BE(at);
    yield data.subarray(at + 4, at + 4 + bytes);
    at += 4 + bytes;
  }
}
