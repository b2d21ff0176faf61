/** Makes a plane at least as much as another one of its size everywhere, in place. */
export function maxInPlace(plane: Float32Array, least: Float32Array): void {
  for (let i = 0; i < plane.length; i++) if (least[i]! > plane[i]!) plane[i] = least[i]!;
}
