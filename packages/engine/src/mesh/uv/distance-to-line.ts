import { clamp } from '@guise/kernels/clamp.ts';

/** Measures the distance from (x, y) to the line through these vertices, texels. */
export function distanceToLine(points: Float32Array, line: readonly number[], x: number, y: number): number {
  let nearest = Infinity;
  for (let k = 0; k + 1 < line.length; k++) {
    const fromX = points[2 * line[k]!]!;
    const fromY = points[2 * line[k]! + 1]!;
    const acrossX = points[2 * line[k + 1]!]! - fromX;
    const acrossY = points[2 * line[k + 1]! + 1]! - fromY;
    const along = ((x - fromX) * acrossX + (y - fromY) * acrossY) / (acrossX ** 2 + acrossY ** 2);
    const share = clamp(along, 0, 1);
    nearest = Math.min(nearest, Math.hypot(fromX + share * acrossX - x, fromY + share * acrossY - y));
  }
  return nearest;
}
