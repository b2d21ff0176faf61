/**
 * LZW compression of GIF (GIF89a, appendix F). Codes have 3 to 12 bits, and the least significant
 * bit comes first.
 */

/** Largest number of codes, because a code has at most 12 bits. */
const MAX_CODES = 4096;

/**
 * Decodes LZW bytes to palette indexes.
 * @param out receives the indexes, from its start on
 * @returns the number of indexes written; it is less than `out.length` if the data is damaged or
 * short
 */
export function lzwDecode(data: Uint8Array, minimumBits: number, out: Uint8Array): number {
  if (minimumBits < 1 || minimumBits > 8) return 0;
  const clear = 1 << minimumBits;
  const prefix = new Int16Array(MAX_CODES);
  const suffix = new Uint8Array(MAX_CODES);
  const stack = new Uint8Array(MAX_CODES + 1);
  for (let code = 0; code < clear; code += 1) suffix[code] = code;
  let bits = minimumBits + 1;
  let next = clear + 2;
  let previous = -1;
  let first = 0;
  let buffer = 0;
  let buffered = 0;
  let written = 0;
  for (let at = 0; ;) {
    while (buffered < bits) {
      if (at >= data.length) return written;
      buffer |= data[at]! << buffered;
      at += 1;
      buffered += 8;
    }
    const code = buffer & ((1 << bits) - 1);
    buffer >>>= bits;
    buffered -= bits;
    if (code === clear) {
      bits = minimumBits + 1;
      next = clear + 2;
      previous = -1;
      continue;
    }
    if (code === clear + 1) return written;
    let depth = 0;
    let walk = code;
    if (previous === -1) {
      if (code >= clear) return written;
    } else if (code === next && next < MAX_CODES) {
      // This code, the only one that may be used before its definition, means the previous string
      // followed by that string's first index.
      stack[depth] = first;
      depth += 1;
      walk = previous;
    } else if (code >= next) {
      return written;
    }
    while (walk >= clear) {
      stack[depth] = suffix[walk]!;
      depth += 1;
      walk = prefix[walk]!;
    }
    first = suffix[walk]!;
    stack[depth] = first;
    depth += 1;
    while (depth > 0 && written < out.length) {
      depth -= 1;
      out[written] = stack[depth]!;
      written += 1;
    }
    if (written === out.length) return written;
    if (previous !== -1 && next < MAX_CODES) {
      prefix[next] = previous;
      suffix[next] = first;
      next += 1;
      if (next === 1 << bits && bits < 12) bits += 1;
    }
    previous = code;
  }
}

/** Number of slots in the encoder's hash table, four for each code. */
const HASH_SLOTS = 1 << 14;

/**
 * Encodes palette indexes.
 * @returns the codes as plain bytes, before the division into sub-blocks
 */
export function lzwEncode(indexes: Uint8Array, minimumBits: number): Uint8Array {
  const clear = 1 << minimumBits;
  const keys = new Int32Array(HASH_SLOTS).fill(-1);
  const codes = new Int16Array(HASH_SLOTS);
  let out = new Uint8Array(Math.max(64, indexes.length >> 1));
  let size = 0;
  let buffer = 0;
  let buffered = 0;
  let bits = minimumBits + 1;
  let next = clear + 2;
  const emit = (code: number) => {
    buffer |= code << buffered;
    buffered += bits;
    while (buffered >= 8) {
      if (size === out.length) {
        const larger = new Uint8Array(out.length * 2);
        larger.set(out);
        out = larger;
      }
      out[size] = buffer & 255;
      size += 1;
      buffer >>>= 8;
      buffered -= 8;
    }
  };
  emit(clear);
  let prefix = indexes[0] ?? 0;
  for (let at = 1; at < indexes.length; at += 1) {
    const index = indexes[at]!;
    const key = (prefix << 8) | index;
    let slot = (Math.imul(key, 0x9e37_79b1) >>> 18) & (HASH_SLOTS - 1);
    while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & (HASH_SLOTS - 1);
    if (keys[slot] === key) {
      prefix = codes[slot]!;
      continue;
    }
    emit(prefix);
    if (next < MAX_CODES) {
      keys[slot] = key;
      codes[slot] = next;
      // The decoder learns each code one step later, so the width grows one step later too.
      if (next === 1 << bits && bits < 12) bits += 1;
      next += 1;
    } else {
      emit(clear);
      keys.fill(-1);
      bits = minimumBits + 1;
      next = clear + 2;
    }
    prefix = index;
  }
  emit(prefix);
  emit(clear + 1);
  bits = 8;
  emit(0);
  return out.subarray(0, size);
}
