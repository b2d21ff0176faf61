import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { RegionMasks } from '../uv/region-masks.ts';

/** Share that each study adds to what is known of a texel: the last eight or so decide. */
const STUDY_SHARE = 0.12;
/**
 * Share of studies in which a texel is covered over which it belongs to what is always there: a
 * beard, a fringe.
 */
const USUALLY_COVERED: Ramp = { from: 0.2, to: 0.4 };

/**
 * What stays in front of a face through a video. Whether a chin is a beard or in shade is decided
 * anew for every study, and near the limit once so and once so: drawn as decided, beards would
 * flash. So what was mostly there stays; where beards grow, what was not there must be seen twice;
 * a hand anywhere else is in front at once.
 */
export class TrackOccluders {
  readonly #beardZone: Float32Array;
  /** Share of the studies in which each texel was covered. */
  readonly #usual: Float32Array;
  readonly #before: Float32Array;

  constructor({ side, beardZone }: RegionMasks) {
    this.#beardZone = beardZone;
    this.#usual = new Float32Array(side * side);
    this.#before = new Float32Array(side * side);
  }

  /**
   * @param occluded what a study shows in front, 0..1 in the atlas; becomes what is to be drawn so
   * @param isFirst of its scene
   * @returns whether any of it is more than `least`
   */
  follow(occluded: Float32Array, isFirst: boolean, least: number): boolean {
    const usual = this.#usual;
    const before = this.#before;
    let isAny = false;
    for (let i = 0; i < occluded.length; i++) {
      const now = occluded[i]!;
      const known = isFirst ? now : usual[i]! + STUDY_SHARE * (now - usual[i]!);
      const earlier = isFirst ? now : before[i]!;
      usual[i] = known;
      before[i] = now;
      const seen = now > earlier ? now + this.#beardZone[i]! * (earlier - now) : now;
      const always = known <= USUALLY_COVERED.from ? 0 : Math.min(1, ramp(USUALLY_COVERED, known));
      const value = seen > always ? seen : always;
      occluded[i] = value;
      if (value > least) isAny = true;
    }
    return isAny;
  }
}
