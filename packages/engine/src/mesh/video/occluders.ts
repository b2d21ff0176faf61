import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import type { TargetFace } from '../target/target-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { RegionMasks } from '../uv/region-masks.ts';

/** Share that each study adds to what is known of a texel: the last eight or so decide. */
const STUDY_SHARE = 0.12;
/**
 * Opacity that a piece of glasses loses with each study that does not find it: a rim that is found
 * now and then does not come and go.
 */
const GLASSES_FADE = 0.2;
/**
 * Share of studies in which a texel is covered over which it belongs to what is always there: a
 * beard, a fringe.
 */
const USUALLY_COVERED: Ramp = { from: 0.2, to: 0.4 };
/** Facing from which a study tells what lies before a texel: further aside, its place is unsure. */
const TELLING_FACING = 0.3;
/** Share of the most that a texel has faced the camera that tells as well: sides never face it. */
const TELLING_SHARE = 0.6;
/** Relative darkness against bare skin over which what covers a texel looks like hair. */
const HAIR_DARKNESS: Ramp = { from: 0.08, to: 0.2 };
/** Relative darkness against bare skin up to which a texel that nothing covers shows bare skin. */
const MAX_BARE_DARKNESS = 0.12;
/** Coverage up to which nothing covers a texel. */
const MAX_BARE_COVERAGE = 0.1;
/** Share of the glasses' zone from which rims, which are light at times, are not taken for skin. */
const MIN_GLASSES_ZONE = 0.5;

/** State of a texel that no study has told anything of yet. */
const NEVER_SEEN = 0;
/** State of a texel that was covered or dark in the last study that told of it. */
const NOT_BARE = 1;
/** State of a texel that showed bare skin in the last study that told of it. */
const BARE = 2;

/**
 * What stays in front of a face through a video. Whether a chin is a beard or in shade is decided
 * anew for every study, and near the limit once so and once so: drawn as decided, beards would
 * flash. So what was mostly there stays, if it is a beard, hair or glasses; where beards grow, what
 * was not there must be seen twice; a hand anywhere else is in front at once, and forgotten. Pieces
 * of glasses are in front at once and go late: none may come and go.
 */
export class TrackOccluders {
  readonly #side: number;
  readonly #beardZone: Float32Array;
  readonly #glassesZone: Float32Array;
  /** Share of the studies in which each texel was covered by what is remembered. */
  readonly #usual: Float32Array;
  /** Opacity of each texel as glasses, which fade. */
  readonly #glasses: Float32Array;
  readonly #before: Float32Array;
  readonly #state: Uint8Array;
  /** Most that each texel has faced the camera. */
  readonly #mostFacing: Float32Array;

  constructor({ side, beardZone, glassesZone }: RegionMasks) {
    this.#side = side;
    this.#beardZone = beardZone;
    this.#glassesZone = glassesZone;
    this.#usual = new Float32Array(side * side);
    this.#glasses = new Float32Array(side * side);
    this.#before = new Float32Array(side * side);
    this.#state = new Uint8Array(side * side);
    this.#mostFacing = new Float32Array(side * side);
  }

  /**
   * Follows what a study shows. Its `occluded` becomes what is to be drawn so.
   * @param isFirst of its scene
   * @returns whether any of it is more than `least`
   */
  follow(
    study: Pick<TargetFace, 'occluded' | 'small' | 'front' | 'skinLuma'> & {
      /** Coverage by frames of glasses alone. */
      readonly glasses: Float32Array;
    },
    isFirst: boolean,
    least: number,
  ): boolean {
    const { occluded, glasses, small, front, skinLuma } = study;
    const side = this.#side;
    const shrink = COARSE_SIDE / side;
    if (isFirst) {
      this.#usual.fill(0);
      this.#glasses.fill(0);
      this.#state.fill(NEVER_SEEN);
      this.#mostFacing.fill(0);
      this.#before.set(occluded);
    }
    let isAny = false;
    for (let y = 0, i = 0; y < side; y++) {
      const row = COARSE_SIDE * Math.floor(y * shrink);
      for (let x = 0; x < side; x++, i++) {
        const cell = row + Math.floor(x * shrink);
        const now = occluded[i]!;
        if (this.#tells(i, small.facing[cell]!))
          this.#remember(i, now, relativeDarkness(skinLuma, small.luma[cell]!), front[cell]!);
        const earlier = this.#before[i]!;
        this.#before[i] = now;
        const seen = now > earlier ? now + this.#beardZone[i]! * (earlier - now) : now;
        const known = this.#usual[i]!;
        const always = known <= USUALLY_COVERED.from ? 0 : Math.min(1, ramp(USUALLY_COVERED, known));
        const value = Math.max(seen, always, this.#fadeGlasses(i, glasses[i]!));
        occluded[i] = value;
        if (value > least) isAny = true;
      }
    }
    return isAny;
  }

  /** @returns opacity of texel `i` as glasses, of which a study shows `now` */
  #fadeGlasses(i: number, now: number): number {
    const faded = this.#glasses[i]! - GLASSES_FADE;
    const opacity = now > faded ? now : faded;
    this.#glasses[i] = opacity;
    return opacity;
  }

  /**
   * Tells whether a study counts in which texel `i` faces the camera so much. What was known from
   * further aside then only holds where the study shows hair.
   */
  #tells(i: number, facing: number): boolean {
    const most = this.#mostFacing[i]!;
    const needed = Math.min(TELLING_FACING, TELLING_SHARE * Math.max(most, facing));
    if (facing > most) this.#mostFacing[i] = facing;
    if (most < needed) this.#state[i] = NEVER_SEEN;
    return facing >= needed;
  }

  /**
   * Adds what a study shows of texel `i` to what is known of it; bare skin that is seen twice
   * clears that.
   * @param darker than bare skin @param front coverage by anything but glasses
   */
  #remember(i: number, now: number, darker: number, front: number): void {
    const isBare =
      now <= MAX_BARE_COVERAGE && darker <= MAX_BARE_DARKNESS && this.#glassesZone[i]! < MIN_GLASSES_ZONE;
    const state = this.#state[i]!;
    this.#state[i] = isBare ? BARE : NOT_BARE;
    if (isBare && state === BARE) {
      this.#usual[i] = 0;
      return;
    }
    const hair = ramp(HAIR_DARKNESS, darker);
    const glasses = this.#glassesZone[i]! * (1 - front);
    const kept = now * Math.max(hair, this.#beardZone[i]!, glasses);
    const known = this.#usual[i]!;
    this.#usual[i] =
      state === NEVER_SEEN ? Math.max(kept, hair * known) : known + STUDY_SHARE * (kept - known);
  }
}
