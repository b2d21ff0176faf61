import { LANDMARK_COUNT } from '../geometry/face.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import { readRecord } from '../geometry/mesh-record.ts';

/** Standard deviation of the time window. */
const SIGMA_SECONDS = 0.06;
/** Frames on either side that steady one. */
export const STEADY_REACH = 4;
/**
 * A landmark that bends its path by more than this (shares of the face's size, from where both
 * neighbours would put it) moves on purpose: a lid, a lip. What it bends by less is the model's own
 * tremble.
 */
const TREMBLE = 0.006;
/** Coordinates of a face's landmarks. */
const COORDINATE_COUNT = LANDMARK_COUNT * 3;

/**
 * Landmarks filtered in time with the frames after as well as before: no lag whatever the speed,
 * steady when still.
 *
 * Frames are taken in pairs, one as long after as the other before: the mean of a pair lies on the
 * middle of any even motion, so nothing is lost of it; only where the path bends sharply does a
 * pair count less. (A causal filter, One-Euro say, trades the tremble for lag.)
 */
export class MeshSteadier {
  readonly #centre = new Float32Array(COORDINATE_COUNT);
  readonly #before = new Float32Array(COORDINATE_COUNT);
  readonly #after = new Float32Array(COORDINATE_COUNT);
  readonly #weight = new Float32Array(COORDINATE_COUNT);

  /**
   * Frame `index`'s landmarks, 478 x (x, y, z) pixels, written to `out`.
   * @param at the record of a frame of the same scene, null where there is none
   * @param times of all frames, seconds
   */
  read(
    at: (index: number) => MeshRecord | null,
    times: ArrayLike<number>,
    index: number,
    out: Float32Array,
  ): void {
    const record = at(index);
    if (record === null) throw new RangeError(`frame ${index} has no face`);
    const centre = readRecord(record, this.#centre);
    const weight = this.#weight.fill(1);
    out.set(centre);
    const perTremble = 1 / (TREMBLE * record.size) ** 2;
    for (let k = 1; k <= STEADY_REACH; k++) {
      const earlier = at(index - k);
      const later = at(index + k);
      if (earlier === null || later === null) break;
      const back = times[index]! - times[index - k]!;
      const forth = times[index + k]! - times[index]!;
      const near = Math.exp(-(back * back + forth * forth) / (4 * SIGMA_SECONDS * SIGMA_SECONDS));
      if (near < 0.02) break;
      const before = readRecord(earlier, this.#before);
      const after = readRecord(later, this.#after);
      // With uneven frame times the middle of the motion is not the middle of the pair.
      const share = back / Math.max(1e-6, back + forth);
      for (let i = 0; i < COORDINATE_COUNT; i += 3) {
        const x = before[i]! + share * (after[i]! - before[i]!);
        const y = before[i + 1]! + share * (after[i + 1]! - before[i + 1]!);
        const z = before[i + 2]! + share * (after[i + 2]! - before[i + 2]!);
        const dx = x - centre[i]!;
        const dy = y - centre[i + 1]!;
        const w = 2 * near * Math.exp(-(dx * dx + dy * dy) * perTremble);
        out[i]! += w * x;
        out[i + 1]! += w * y;
        out[i + 2]! += w * z;
        weight[i]! += w;
      }
    }
    for (let i = 0; i < COORDINATE_COUNT; i += 3) {
      const scale = 1 / weight[i]!;
      out[i]! *= scale;
      out[i + 1]! *= scale;
      out[i + 2]! *= scale;
    }
  }
}
