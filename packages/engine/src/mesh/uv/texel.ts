/** Returns the row-major index of the texel whose place this texel takes in a mirror. */
export function mirrorTexel(texel: number, side: number): number {
  return texel + side - 1 - 2 * (texel % side);
}

/** Returns the distance of a texel's middle from the midline of the face, in sides of the atlas. */
export function midlineDistance(texel: number, side: number): number {
  return Math.abs(((texel % side) + 0.5) / side - 0.5);
}

/**
 * Lists the texels, row by row, for which a test holds. Iterating over a plane takes ten times as
 * long.
 */
export function texelsWhere(count: number, test: (texel: number) => boolean): Uint32Array {
  const texels = new Uint32Array(count);
  let found = 0;
  for (let i = 0; i < count; i++) if (test(i)) texels[found++] = i;
  return texels.slice(0, found);
}

/** Returns the mean of a plane over some texels; NaN for none. */
export function meanAt(plane: Float32Array, texels: Uint32Array): number {
  let sum = 0;
  for (let k = 0; k < texels.length; k++) sum += plane[texels[k]!]!;
  return sum / texels.length;
}
