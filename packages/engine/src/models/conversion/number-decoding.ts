/** Decodes an IEEE 754 binary16 number from its 16 bits, given as an unsigned integer. */
export function decodeHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Decodes little-endian binary16 values as float32. `bytes.length` must be even. */
export function decodeHalves(bytes: Buffer): Float32Array {
  const values = new Float32Array(bytes.length / 2);
  for (let i = 0; i < values.length; i++) values[i] = decodeHalf(bytes.readUInt16LE(2 * i));
  return values;
}

/** Decodes little-endian float32 values. Copies them, because a file's slice may be unaligned. */
export function decodeFloats(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

/** Decodes little-endian int32 values. Copies them, because a file's slice may be unaligned. */
export function decodeInts(bytes: Buffer): Int32Array {
  return new Int32Array(Uint8Array.from(bytes).buffer);
}
