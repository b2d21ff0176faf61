import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { RegionMasks } from '../uv/region-masks.ts';

/** How much each study adds to what is known of a texel: the last eight or so decide. */
const MEMORY = 0.12;
/** A texel covered in so many of them belongs to what is always there: a beard, a fringe. */
const RARE = 0.2;
const USUAL = 0.4;

/**
 * What stays in front of a face through a video. Whether a chin is a beard or in shade is decided anew for every study, and near
 * the limit once so and once so: drawn as decided, beards would flash. So what was mostly there stays; where beards grow, what
 * was not there must be seen twice; a hand anywhere else is in front at once.
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
      const known = isFirst ? now : usual[i]! + MEMORY * (now - usual[i]!);
      const earlier = isFirst ? now : before[i]!;
      usual[i] = known;
      before[i] = now;
      const seen = now > earlier ? now + this.#beardZone[i]! * (earlier - now) : now;
      const always = known <= RARE ? 0 : Math.min(1, smoothstep(RARE, USUAL, known));
      const value = seen > always ? seen : always;
      occluded[i] = value;
      if (value > least) isAny = true;
    }
    return isAny;
  }
}
