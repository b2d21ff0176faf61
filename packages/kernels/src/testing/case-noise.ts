/** Fills a plane with noise of 0..255 that depends only on the seed. */
export function noise(plane: Float32Array, seed: number): Float32Array {
  let state = seed;
  for (let i = 0; i < plane.length; i++) {
    state = (state * 48_271) % 2_147_483_647;
    plane[i] = (255 * state) / 2_147_483_647;
  }
  return plane;
}

/** Fills bytes with noise that depends only on the seed. */
export function noiseBytes(bytes: Uint8Array, seed: number): Uint8Array {
  let state = seed;
  for (let i = 0; i < bytes.length; i++) {
    state = (state * 48_271) % 2_147_483_647;
    bytes[i] = state >> 8;
  }
  return bytes;
}
