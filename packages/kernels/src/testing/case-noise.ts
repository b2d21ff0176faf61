/** 0..255, always the same. */
export function noise(plane: Float32Array, seed: number): Float32Array {
  let state = seed;
  for (let i = 0; i < plane.length; i++) {
    state = (state * 48_271) % 2_147_483_647;
    plane[i] = (255 * state) / 2_147_483_647;
  }
  return plane;
}

/** The same as bytes. */
export function noiseBytes(bytes: Uint8Array, seed: number): Uint8Array {
  let state = seed;
  for (let i = 0; i < bytes.length; i++) {
    state = (state * 48_271) % 2_147_483_647;
    bytes[i] = state >> 8;
  }
  return bytes;
}
