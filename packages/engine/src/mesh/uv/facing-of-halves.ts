import { COARSE_SIDE } from './atlas-layout.ts';

/**
 * Computes the mean facing of the bare skin (`core`) in the left and in the right half of a coarse
 * atlas. Both show how far a face is turned, at any roll and pitch.
 */
export function facingOfHalves(facing: Float32Array, core: Float32Array): [left: number, right: number] {
  const sums = [0, 0];
  const weights = [1e-6, 1e-6];
  for (let i = 0; i < core.length; i++) {
    const half = i % COARSE_SIDE < COARSE_SIDE / 2 ? 0 : 1;
    sums[half]! += core[i]! * facing[i]!;
    weights[half]! += core[i]!;
  }
  return [sums[0]! / weights[0]!, sums[1]! / weights[1]!];
}
