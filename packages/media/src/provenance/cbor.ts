// The part of CBOR (RFC 8949) that content credentials need.

/** Encodes the first bytes of an item: its major type, and a length or value. */
function head(majorType: number, value: number): Buffer {
  const type = majorType << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 0x100) return Buffer.from([type | 24, value]);
  if (value < 0x1_0000) return Buffer.from([type | 25, value >> 8, value & 0xff]);
  const long = Buffer.from([type | 26, 0, 0, 0, 0]);
  long.writeUInt32BE(value, 1);
  return long;
}

/** Encodes a whole number of either sign. */
export function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

/** Encodes bytes. */
export function byteString(bytes: Uint8Array): Buffer {
  return Buffer.concat([head(2, bytes.length), bytes]);
}

/** Encodes text in UTF-8. */
export function textString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([head(3, bytes.length), bytes]);
}

/** Joins encoded items to an array. */
export function array(items: readonly Uint8Array[]): Buffer {
  return Buffer.concat([head(4, items.length), ...items]);
}

/** Joins encoded keys and values to a map, in the order given. */
export function map(entries: readonly (readonly [Uint8Array, Uint8Array])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()]);
}
