/** Returns the row-major index of the texel whose place this texel takes in a mirror. */
export function mirrorTexel(texel: number, side: number): number {
  return texel + side - 1 - 2 * (texel % side);
}

/** Returns the distance of a texel's middle from the midline of the face, in sides of the atlas. */
export function midlineDistance(texel: number, side: number): number {
  return Math.abs(((texel % side) + 0.5) / side - 0.5);
}
