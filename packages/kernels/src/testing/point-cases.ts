import { LIGHT, registerPoints } from '../face/register-points.ts';
import {
  type PointView,
  type RegisteredPoints,
  registerPoints as plainRegisterPoints,
} from '../plain/register-points.ts';
import { noise } from './case-noise.ts';
import type { ArrayMaker, KernelCase } from './kernel-case.ts';

const COLUMNS = 5;
const NODES = 30;
/** Shift of the second view, pixels. */
const SHIFT = [0.7, -0.4] as const;

/**
 * Lists cases with points all over a grid of nodes and two views of them. The second view is
 * shifted and a little brighter, with noise, and some points are hidden.
 */
export function pointCases(make: ArrayMaker, side: number): KernelCase[] {
  const count = Math.min(2000, side * side);
  const place = [noise(make.floats(count), 31), noise(make.floats(count), 32)] as const;
  const first = new Uint8Array(count);
  const shares = make.floats(4 * count);
  for (let i = 0; i < count; i++) {
    const x = (place[0][i]! / 256) * (COLUMNS - 1);
    const y = (place[1][i]! / 256) * (NODES / COLUMNS - 1);
    const [left, top] = [Math.min(COLUMNS - 2, Math.floor(x)), Math.min(NODES / COLUMNS - 2, Math.floor(y))];
    first[i] = top * COLUMNS + left;
    const [right, lower] = [x - left, y - top];
    shares.set([(1 - right) * (1 - lower), right * (1 - lower), (1 - right) * lower, right * lower], 4 * i);
  }
  const points: RegisteredPoints = {
    count,
    columns: COLUMNS,
    nodeCount: NODES,
    first,
    shares,
    across: place[0].map((value) => value / 128 - 1),
    down: place[1].map((value) => value / 128 - 1),
    prior: Float64Array.from({ length: NODES * NODES }, (_, i) => (i % (NODES + 1) === 0 ? 1.5 : 0.01)),
  };
  const view = (seed: number): PointView => ({
    grey: noise(make.floats(count), seed),
    slopeX: noise(make.floats(count), 34).map((value) => value / 16 - 8),
    slopeY: noise(make.floats(count), 35).map((value) => value / 16 - 8),
    weight: noise(make.floats(count), 36).map((value) => Math.max(0, value / 200 - 0.2)),
  });
  const [before, after] = [view(33), view(33)];
  const grain = noise(make.floats(count), 37);
  for (let i = 0; i < count; i++)
    after.grey[i]! += 3 + grain[i]! / 64 - SHIFT[0] * after.slopeX[i]! - SHIFT[1] * after.slopeY[i]!;
  const register = (by: typeof registerPoints): Float32Array[] => {
    const solution = new Float64Array(2 * NODES + LIGHT);
    const { deviation, agreeing, points: seen } = by(points, before, after, 1.2, solution);
    return [Float32Array.from(solution), Float32Array.of(deviation, agreeing, seen)];
  };
  return [
    {
      name: 'register points',
      pixels: count,
      bytes: 64 * count,
      tolerance: 1e-4,
      kernel: () => register(registerPoints),
      reference: () => register(plainRegisterPoints),
    },
  ];
}
