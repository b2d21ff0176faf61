import { decode, encode } from './convolutional-code.ts';

/** Bytes of an id. A checksum of three bytes follows. */
const ID_BYTES = 6;

/** Returns the bits of a mark: the code of id and checksum. @param id six bytes */
export function packPayload(id: Uint8Array): Uint8Array {
  if (id.length !== ID_BYTES) throw new RangeError(`An id has ${ID_BYTES} bytes.`);
  return encode(bitsOf(Uint8Array.of(...id, ...checksumOf(id))));
}

/** What soft bits mean. */
export interface ReadPayload {
  readonly bytes: Uint8Array;
  /** How well they agree with it: 1 if all do, 0 if they are random. */
  readonly agreement: number;
}

/**
 * Reads the most likely payload, right or wrong.
 * @param soft `MARK_BITS` values: above 0 for 1, below for 0, and the farther the more certain
 */
export function readPayload(soft: Float64Array): ReadPayload {
  const message = decode(soft);
  let [agreeing, all] = [0, Number.EPSILON];
  for (const [k, bit] of encode(message).entries()) {
    agreeing += bit === 1 ? soft[k]! : -soft[k]!;
    all += Math.abs(soft[k]!);
  }
  return { bytes: bytesOf(message), agreement: agreeing / all };
}

/** Returns the id of a payload, or null if the checksum is wrong. */
export function idOf({ bytes }: Pick<ReadPayload, 'bytes'>): Uint8Array | null {
  const id = bytes.slice(0, ID_BYTES);
  return Buffer.compare(checksumOf(id), bytes.subarray(ID_BYTES)) === 0 ? id : null;
}

/** Returns the CRC-24 of OpenPGP (RFC 4880, 6.1), of three bytes. */
function checksumOf(id: Uint8Array): Uint8Array {
  let sum = 0xb704ce;
  for (const bit of bitsOf(id)) {
    const carries = ((sum >> 23) & 1) !== bit;
    sum = ((sum << 1) & 0xffffff) ^ (carries ? 0x864cfb : 0);
  }
  return Uint8Array.of(sum >> 16, (sum >> 8) & 0xff, sum & 0xff);
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
