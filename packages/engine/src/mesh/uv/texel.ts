/** Row-major index of the texel that the mirror shows in this one's place. */
export function mirrorTexel(texel: number, side: number): number {
  return texel + side - 1 - 2 * (texel % side);
}

/** Distance of a texel's middle from the midline of the face, in widths of the atlas. */
export function midlineDistance(texel: number, side: number): number {
  return Math.abs(((texel % side) + 0.5) / side - 0.5);
}
