import { MARK_BITS } from './carrier.ts';

/** Bytes of an id. */
const ID_BYTES = 6;
/** Bits by which a mark is recognised: "gui" in ASCII, and the version 1. */
const SYNC = bitsOf(Uint8Array.of(0x67, 0x75, 0x69, 0x01));
/**
 * Number of the recognised bits that may be wrong. Of 32 random bits, 29 are right once in 780,000
 * times; the checksum must be right, too.
 */
const MAX_WRONG_SYNC = 3;
/** Number of the least certain bits that may be turned over to make the checksum right. */
const DOUBTED_BITS = 12;
/** Largest certainty of a bit that may be turned over, of the mean of all. */
const MAX_DOUBTED = 0.5;
/** Number of them that are turned over at once, at most. */
const MAX_TURNED = 3;

/** Returns the bits of a mark: sync, id, checksum. @param id six bytes */
export function packPayload(id: Uint8Array): Uint8Array {
  if (id.length !== ID_BYTES) throw new RangeError(`An id has ${ID_BYTES} bytes.`);
  return Uint8Array.of(...SYNC, ...bitsOf(id), ...checksumOf(bitsOf(id)));
}

/** Returns how well soft bits agree with the sync: 1 if all do, 0 if they are random. */
export function syncOf(soft: Float64Array): number {
  return SYNC.reduce((sum, bit, k) => sum + soft[k]! * (bit === 1 ? 1 : -1), 0) / SYNC.length;
}

/**
 * Reads the id of a mark. If the checksum is wrong, the least certain bits are turned over
 * (Chase, 1972).
 * @param soft `MARK_BITS` values from -1 (certainly 0) to 1 (certainly 1)
 * @returns null if these are not the bits of a mark
 */
export function readPayload(soft: Float64Array): Uint8Array | null {
  const hard = Uint8Array.from(soft, (value) => (value > 0 ? 1 : 0));
  if (SYNC.filter((bit, k) => bit !== hard[k]).length > MAX_WRONG_SYNC) return null;
  const certainty = (k: number): number => Math.abs(soft[k]!);
  const mean = soft.reduce((sum, value) => sum + Math.abs(value), 0) / MARK_BITS;
  const doubted = Array.from({ length: MARK_BITS - SYNC.length }, (_, k) => SYNC.length + k)
    .filter((k) => certainty(k) < MAX_DOUBTED * mean)
    .sort((a, b) => certainty(a) - certainty(b))
    .slice(0, DOUBTED_BITS);
  for (const turned of choices(doubted, MAX_TURNED)) {
    const bits = hard.slice(SYNC.length);
    for (const k of turned) bits[k - SYNC.length]! ^= 1;
    const id = bits.subarray(0, 8 * ID_BYTES);
    if (checksumOf(id).every((bit, k) => bit === bits[id.length + k])) return bytesOf(id);
  }
  return null;
}

/** Lists the choices of at most this many items, smaller ones first. */
function choices<T>(items: readonly T[], most: number): T[][] {
  let last: (readonly [T[], number])[] = [[[], -1]];
  const all: T[][] = [[]];
  for (let size = 1; size <= most; size++) {
    last = last.flatMap(([chosen, at]) =>
      items.slice(at + 1).map((item, k): [T[], number] => [[...chosen, item], at + 1 + k]),
    );
    all.push(...last.map(([chosen]) => chosen));
  }
  return all;
}

/** Returns the 16 bits of the CRC-16 with the polynomial 0x1021 and the start 0xffff. */
function checksumOf(bits: Uint8Array): Uint8Array {
  let sum = 0xffff;
  for (const bit of bits) {
    const carries = ((sum >> 15) & 1) !== bit;
    sum = ((sum << 1) & 0xffff) ^ (carries ? 0x1021 : 0);
  }
  return bitsOf(Uint8Array.of(sum >> 8, sum & 0xff));
}

/** Returns the bits of bytes, the highest of each first. */
function bitsOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: 8 * bytes.length }, (_, k) => (bytes[k >> 3]! >> (7 - (k & 7))) & 1);
}

function bytesOf(bits: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: bits.length / 8 }, (_, k) =>
    bits.subarray(8 * k, 8 * k + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  );
}
