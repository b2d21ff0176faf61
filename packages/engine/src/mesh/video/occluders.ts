import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import type { TargetFace } from '../target/target-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { RegionMasks } from '../uv/region-masks.ts';

/**
 * Share by which each study changes what is known about a texel. About the last eight studies
 * decide.
 */
const STUDY_SHARE = 0.12;
/**
 * Opacity that a part of glasses loses in each study that misses it. A rim that is found only in
 * some studies then does not flicker.
 */
const GLASSES_FADE = 0.2;
/**
 * Share of studies in which a texel is covered. 0 at `from`: the cover is an exception; 1 at `to`:
 * it is permanent, such as a beard or a fringe.
 */
const USUALLY_COVERED: Ramp = { from: 0.2, to: 0.4 };
/**
 * Facing from which a study counts for a texel. The place of a texel turned further is uncertain.
 */
const TELLING_FACING = 0.3;
/** Share of a texel's largest facing that also counts, because the sides never face the camera. */
const TELLING_SHARE = 0.6;
/**
 * Darkness compared with bare skin. 0 at `from`: a cover looks like skin; 1 at `to`: it is hair.
 */
const HAIR_DARKNESS: Ramp = { from: 0.08, to: 0.2 };
/** Darkness compared with bare skin up to which an uncovered texel shows bare skin. */
const MAX_BARE_DARKNESS = 0.12;
/** Coverage up to which a texel is uncovered. */
const MAX_BARE_COVERAGE = 0.1;
/**
 * Weight in the glasses' zone from which a bright texel may be a light rim instead of bare skin.
 */
const MIN_GLASSES_ZONE = 0.5;

/** State of a texel before any study counts for it. */
const NEVER_SEEN = 0;
/** State of a texel that was covered or dark in the last study that counted for it. */
const NOT_BARE = 1;
/** State of a texel that showed bare skin in the last study that counted for it. */
const BARE = 2;

/**
 * Decides what stays in front of a face throughout a video. Every study decides again whether a
 * chin has a beard or shade, and near the limit the studies disagree, so that beards would flash.
 * For this reason a beard, hair or glasses stay if most studies found them. In the beard's zone, a
 * new thing must be found twice. Elsewhere a hand is in front at once, and is then forgotten. Parts
 * of glasses are in front at once and fade slowly, so that they do not flicker.
 */
export class TrackOccluders {
  readonly #side: number;
  readonly #beardZone: Float32Array;
  readonly #glassesZone: Float32Array;
  /** Share of the studies in which a remembered thing covered each texel. */
  readonly #usual: Float32Array;
  /** Opacity of each texel as part of glasses, which fades. */
  readonly #glasses: Float32Array;
  readonly #before: Float32Array;
  readonly #state: Uint8Array;
  /** Largest facing of each texel so far. */
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
   * Remembers what a study shows, and changes its `occluded` to what will be drawn.
   * @param isFirst of its scene @returns whether any of it is more than `least`
   */
  follow(
    study: Pick<TargetFace, 'occluded' | 'frames' | 'small' | 'front' | 'skinLuma'>,
    isFirst: boolean,
    least: number,
  ): boolean {
    const { occluded, frames, small, front, skinLuma } = study;
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
        const value = Math.max(seen, always, this.#fadeGlasses(i, frames[i]!));
        occluded[i] = value;
        if (value > least) isAny = true;
      }
    }
    return isAny;
  }

  /** @returns opacity of texel `i` as part of glasses, after a study that shows `now` */
  #fadeGlasses(i: number, now: number): number {
    const faded = this.#glasses[i]! - GLASSES_FADE;
    const opacity = now > faded ? now : faded;
    this.#glasses[i] = opacity;
    return opacity;
  }

  /**
   * Returns whether a study counts in which texel `i` has this facing. If earlier views were worse,
   * their knowledge stays only if this study shows hair.
   */
  #tells(i: number, facing: number): boolean {
    const most = this.#mostFacing[i]!;
    const needed = Math.min(TELLING_FACING, TELLING_SHARE * Math.max(most, facing));
    if (facing > most) this.#mostFacing[i] = facing;
    if (most < needed) this.#state[i] = NEVER_SEEN;
    return facing >= needed;
  }

  /**
   * Updates the knowledge about texel `i` with a study. Bare skin that is seen twice clears the
   * knowledge.
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
