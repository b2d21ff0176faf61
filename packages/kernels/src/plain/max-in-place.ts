/** Raises each value of a plane, in place, to that of another plane of equal size. */
export function maxInPlace(plane: Float32Array, least: Float32Array): void {
  for (let i = 0; i < plane.length; i++) if (least[i]! > plane[i]!) plane[i] = least[i]!;
}
