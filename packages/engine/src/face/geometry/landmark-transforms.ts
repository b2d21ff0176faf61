/** Moves landmarks (x, y, z each, pixels) in the image plane. Returns a new array. */
export function translated(landmarks: Float32Array, dx: number, dy: number): Float32Array {
  const out = landmarks.slice();
  for (let i = 0; i < out.length; i += 3) {
    out[i]! += dx;
    out[i + 1]! += dy;
  }
  return out;
}

/** Scales landmarks. Returns a new array, unless the factor is 1. */
export function scaled(landmarks: Float32Array, factor: number): Float32Array {
  return factor === 1 ? landmarks : landmarks.map((value) => value * factor);
}

/** Moves landmarks by `share` (0..1) of the way to others. Returns a new array. */
export function interpolated(from: Float32Array, to: Float32Array, share: number): Float32Array {
  const out = from.slice();
  for (let i = 0; i < out.length; i++) out[i]! += share * (to[i]! - from[i]!);
  return out;
}
