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
const DOUBTED_BITS = 14;
/** Largest certainty of a bit that may be turned over, of the mean of all. */
const MAX_DOUBTED = 0.75;
/** Number of them that are turned over at once, at most. */
const MAX_TURNED = 4;
/** Choices of the bits to turn over, by their places among the doubted ones. */
const CHOICES = choices(
  Array.from({ length: DOUBTED_BITS }, (_, k) => k),
  MAX_TURNED,
);
/** Syndrome of a payload that is all 0: the checksum is affine. */
const EMPTY_SYNDROME = syndromeOf(new Uint8Array(MARK_BITS - SYNC.length));
/** What each bit after the sync adds to the syndrome. */
const SYNDROMES = Int32Array.from({ length: MARK_BITS - SYNC.length }, (_, k) => {
  const bits = new Uint8Array(MARK_BITS - SYNC.length);
  bits[k] = 1;
  return syndromeOf(bits) ^ EMPTY_SYNDROME;
});

/** Returns the bits of a mark: sync, id, checksum. @param id six bytes */
export function packPayload(id: Uint8Array): Uint8Array {
  if (id.length !== ID_BYTES) throw new RangeError(`An id has ${ID_BYTES} bytes.`);
  return Uint8Array.of(...SYNC, ...bitsOf(id), ...checksumOf(bitsOf(id)));
}

/** Returns how well soft bits agree with the sync: 1 if all do, 0 if they are random. */
export function syncOf(soft: Float64Array): number {
  return SYNC.reduce((sum, bit, k) => sum + soft[k]! * (bit === 1 ? 1 : -1), 0) / SYNC.length;
}

/** What soft bits mean. */
export interface ReadPayload {
  readonly id: Uint8Array;
  /** How doubtful it is: 0 if every bit is as it was read, up to 1. */
  readonly doubt: number;
}

/**
 * Reads the id of a mark. If the checksum is wrong, the least certain bits are turned over
 * (Chase, 1972): of the choices that make it right, those of the least certainty.
 * @param soft `MARK_BITS` values: above 0 for 1, below for 0, and the farther the more certain
 * @param mostDoubt largest share of all certainty that may be wrong: with more, a mark may be read
 *   as another id by chance
 * @returns null if these are not the bits of a mark
 */
export function readPayload(soft: Float64Array, mostDoubt: number): ReadPayload | null {
  const hard = Uint8Array.from(soft, (value) => (value > 0 ? 1 : 0));
  const certainty = (k: number): number => Math.abs(soft[k]!);
  const wrongSync = SYNC.reduce((sum, bit, k) => (bit === hard[k] ? sum : sum + 1), 0);
  if (wrongSync > MAX_WRONG_SYNC) return null;
  const all = soft.reduce((sum, value) => sum + Math.abs(value), 0);
  const doubtOfSync = SYNC.reduce((sum, bit, k) => (bit === hard[k] ? sum : sum + certainty(k)), 0);
  const doubted = Array.from({ length: MARK_BITS - SYNC.length }, (_, k) => SYNC.length + k)
    .sort((a, b) => certainty(a) - certainty(b))
    .slice(0, DOUBTED_BITS)
    .filter((k) => certainty(k) < (MAX_DOUBTED * all) / MARK_BITS);
  let wrong = 0;
  for (let k = SYNC.length; k < MARK_BITS; k++) if (hard[k] === 1) wrong ^= SYNDROMES[k - SYNC.length]!;
  wrong ^= EMPTY_SYNDROME;
  let best: readonly number[] | null = null;
  let least = Infinity;
  for (const turned of CHOICES) {
    let syndrome = wrong;
    let certain = 0;
    if (turned.some((at) => at >= doubted.length)) continue;
    for (const at of turned) {
      syndrome ^= SYNDROMES[doubted[at]! - SYNC.length]!;
      certain += certainty(doubted[at]!);
    }
    if (syndrome === 0 && certain < least) [best, least] = [turned, certain];
  }
  const doubt = (doubtOfSync + least) / all;
  if (best === null || doubt > mostDoubt) return null;
  for (const at of best) hard[doubted[at]!]! ^= 1;
  const id = bytesOf(hard.subarray(SYNC.length, SYNC.length + 8 * ID_BYTES));
  return { id, doubt: doubt / mostDoubt };
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

/** Returns by which bits the checksum of a payload is wrong: 0 if it is right. */
function syndromeOf(bits: Uint8Array): number {
  const sum = checksumOf(bits.subarray(0, 8 * ID_BYTES));
  return sum.reduce((syndrome, bit, k) => (syndrome << 1) | (bit ^ bits[8 * ID_BYTES + k]!), 0);
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
