import type { RgbImage } from '@guise/kernels/image.ts';
import { POINT_VERTICES, TEMPLATES } from '../templates.ts';

/** A picture with a colourful pattern, whose upright face fills it. */
export function paintedFace(side: number): { image: RgbImage; landmarks: Float32Array } {
  const data = new Uint8Array(3 * side * side);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const at = 3 * (y * side + x);
      data[at] = 120 + 90 * Math.sin(x / 7);
      data[at + 1] = 120 + 90 * Math.cos(y / 5);
      data[at + 2] = (x * 31 + y * 17) % 256;
    }
  return { image: { data, width: side, height: side }, landmarks: landmarksAt(side) };
}

/** Landmarks of an upright face in the middle of a square picture. */
export function landmarksAt(side: number): Float32Array {
  const { side: own, points } = TEMPLATES['arcface-128'];
  const landmarks = new Float32Array(478 * 3);
  POINT_VERTICES.forEach((vertices, k) => {
    for (const v of vertices)
      for (const axis of [0, 1]) landmarks[3 * v + axis] = ((points[2 * k + axis]! + 0.5) * side) / own;
  });
  return landmarks;
}
