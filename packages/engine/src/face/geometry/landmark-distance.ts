/** Returns the distance between two landmarks in space. @param landmarks x, y, z of each */
export function landmarkDistance(landmarks: Float32Array, one: number, other: number): number {
  return Math.hypot(...[0, 1, 2].map((k) => landmarks[3 * one + k]! - landmarks[3 * other + k]!));
}
