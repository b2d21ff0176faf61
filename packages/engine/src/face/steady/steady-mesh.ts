import { LANDMARK_COUNT } from '../geometry/face.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import { readRecord } from '../geometry/mesh-record.ts';

/** Standard deviation of the time window. */
const SIGMA_SECONDS = 0.06;
/** Number of frames on either side that steady a frame. */
export const STEADY_REACH = 4;
/**
 * Distance of a landmark from the point between its neighbours in time, in sizes of the face. A
 * landmark at a larger distance moves on purpose, such as a lid or a lip. A smaller distance is the
 * model's own tremble.
 */
const TREMBLE = 0.006;
/** Number of coordinates of a face's landmarks. */
const COORDINATE_COUNT = LANDMARK_COUNT * 3;

/**
 * Filters landmarks in time, with the frames before and after. The result has no lag at any speed,
 * and is steady when the face is still.
 *
 * Frames are used in pairs at equal times before and after. The mean of a pair lies in the middle
 * of any even motion, so the filter keeps such motion completely. Only where the path bends sharply
 * does a pair count less. (A causal filter, such as One-Euro, reduces tremble only at the cost of
 * lag.)
 */
export class MeshSteadier {
  readonly #centre = new Float32Array(COORDINATE_COUNT);
  readonly #before = new Float32Array(COORDINATE_COUNT);
  readonly #after = new Float32Array(COORDINATE_COUNT);
  readonly #weight = new Float32Array(COORDINATE_COUNT);

  /**
   * Writes the steadied landmarks of frame `index`, 478 x (x, y, z) pixels, to `out`.
   * @param at returns the record of a frame of the same scene, or null if there is none
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
      // With uneven frame times, the middle of the motion is not the middle of the pair.
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
