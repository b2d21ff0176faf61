import { boxBlur } from './box-blur.ts';

/** How much may be changed where a plane has how much detail. */
export interface RoomLimits {
  /** Largest change of flat parts. */
  readonly flat: number;
  /** Largest further change of parts with detail. */
  readonly detail: number;
  /** Further change per unit of standard deviation around a sample. */
  readonly perDeviation: number;
  /** Distance of the samples from which a deviation is measured. */
  readonly reach: number;
}

/**
 * Writes by how much each sample of a square plane may be changed. Beside a sharp edge a change is
 * seen as on flat parts: so of the four parts that touch a sample, the one with the least detail
 * counts. Beyond the plane lies what lies on its edge.
 */
export function roomOf(
  plane: Float32Array,
  side: number,
  { flat, detail, perDeviation, reach }: RoomLimits,
  room: Float32Array,
): void {
  const mean = plane.slice();
  const deviation = plane.map((value) => value * value);
  for (const each of [mean, deviation]) boxBlur(each, side, side, reach, 1);
  for (let k = 0; k < plane.length; k++)
    deviation[k] = Math.sqrt(Math.max(0, deviation[k]! - mean[k]! * mean[k]!));
  const inside = (at: number): number => Math.max(0, Math.min(side - 1, at));
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      let least = Infinity;
      for (const row of [inside(y - reach), inside(y + reach)])
        for (const column of [inside(x - reach), inside(x + reach)])
          least = Math.min(least, deviation[row * side + column]!);
      room[y * side + x] = flat + Math.min(detail, perDeviation * least);
    }
  }
}

/**
 * Writes the sum over each block of 8 x 8 samples of a square plane.
 */
export function blockSums(plane: Float32Array, side: number, sums: Float32Array): void {
  sums.fill(0);
  for (let k = 0; k < plane.length; k++) {
    const [y, x] = [Math.floor(k / side), k % side];
    sums[(Math.floor(y / 8) * side) / 8 + Math.floor(x / 8)]! += plane[k]!;
  }
}
