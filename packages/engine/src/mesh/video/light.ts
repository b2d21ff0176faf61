import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare, halvePlane } from '@guise/kernels/scale/plane-scale.ts';
import type { Atlas } from '../uv/atlas.ts';

/** Side of the small atlas in which a video's light is followed, texels. */
export const TRACK_SIDE = 64;
/** Side of the smaller planes in which the smooth light is measured, texels. */
const SMALL_SIDE = 32;
/** Number of texels of such a plane. */
const SMALL_COUNT = SMALL_SIDE * SMALL_SIDE;
/** Box radius of the local light, texels, as wide on the face as in a photo. */
const LOCAL_RADIUS_TEXELS = boxRadius(SMALL_SIDE / 9);
/** Box radius of the overall light, texels. */
const BROAD_RADIUS_TEXELS = boxRadius(SMALL_SIDE / 4);
/** Time constant by which light is smoothed. */
const LIGHT_SECONDS = 0.12;
/**
 * Change of the light's mean luma, levels. 0 at `from`: flicker; 1 at `to`: a change to follow at
 * once.
 */
const FLASH_LUMA: Ramp = { from: 3, to: 14 };
/** Weight of the mean light at places without skin nearby. */
const MEAN_WEIGHT = 1e-4;

/** Light and tone of a followed face's skin, smoothed in time. */
export class TrackLight {
  /** Luma and colour differences, `TRACK_SIDE` squared. */
  readonly luma = new Float32Array(TRACK_SIDE * TRACK_SIDE);
  readonly blue = new Float32Array(TRACK_SIDE * TRACK_SIDE);
  readonly red = new Float32Array(TRACK_SIDE * TRACK_SIDE);
  /** Whether the light has just changed by more than its flicker. */
  hasJumped = true;
  readonly #large = new Float32Array(TRACK_SIDE * TRACK_SIDE);
  readonly #weight = new Float32Array(SMALL_COUNT);
  readonly #nearby = new Float32Array(SMALL_COUNT);
  readonly #weighted = [0, 1, 2].map(() => new Float32Array(SMALL_COUNT));
  readonly #small = [0, 1, 2].map(() => new Float32Array(SMALL_COUNT));
  readonly #now = [0, 1, 2].map(() => new Float32Array(SMALL_COUNT));
  readonly #local = [0, 1, 2].map(() => new Float32Array(SMALL_COUNT));
  readonly #broad = [0, 1, 2].map(() => new Float32Array(SMALL_COUNT));

  /**
   * @param face atlas of `TRACK_SIDE` @param weight of each texel
   * @param share 0..1 of the local light in its mix with the broad light
   */
  follow(face: Atlas, weight: Float32Array, share: number, elapsedSeconds: number, isFresh: boolean): void {
    const small = halvePlane(weight, TRACK_SIDE, TRACK_SIDE, this.#weight);
    this.#weigh(face.luma, weight, 0);
    this.#weigh(face.blue, weight, 1);
    this.#weigh(face.red, weight, 2);
    const weighted = this.#weighted;
    this.#blur(weighted, small, LOCAL_RADIUS_TEXELS, this.#local);
    this.#blur(weighted, small, BROAD_RADIUS_TEXELS, this.#broad);
    for (let p = 0; p < 3; p++) {
      const now = this.#now[p]!;
      const local = this.#local[p]!;
      const broad = this.#broad[p]!;
      for (let i = 0; i < SMALL_COUNT; i++) now[i] = broad[i]! + share * (local[i]! - broad[i]!);
    }
    const pace = isFresh ? 1 : this.#pace(small, elapsedSeconds);
    for (let p = 0; p < 3; p++) {
      const now = this.#now[p]!;
      const held = this.#small[p]!;
      for (let i = 0; i < SMALL_COUNT; i++) held[i]! += pace * (now[i]! - held[i]!);
    }
    this.hasJumped = pace > 0.5;
    const factor = TRACK_SIDE / SMALL_SIDE;
    enlargeSquare(this.#small[0]!, SMALL_SIDE, factor, this.luma);
    enlargeSquare(this.#small[1]!, SMALL_SIDE, factor, this.blue);
    enlargeSquare(this.#small[2]!, SMALL_SIDE, factor, this.red);
  }

  #weigh(plane: Float32Array, weight: Float32Array, to: number): void {
    const large = this.#large;
    for (let i = 0; i < large.length; i++) large[i] = plane[i]! * weight[i]!;
    halvePlane(large, TRACK_SIDE, TRACK_SIDE, this.#weighted[to]!);
  }

  /** Blurs with normalised weights, which fills holes in the weight. */
  #blur(weighted: readonly Float32Array[], weight: Float32Array, radius: number, out: Float32Array[]): void {
    const nearby = this.#nearby;
    nearby.set(weight);
    let total = 0;
    for (let i = 0; i < SMALL_COUNT; i++) total += weight[i]!;
    boxBlur(nearby, SMALL_SIDE, SMALL_SIDE, radius);
    for (let p = 0; p < weighted.length; p++) {
      const plane = weighted[p]!;
      const blurred = out[p]!;
      blurred.set(plane);
      let mean = 0;
      for (let i = 0; i < SMALL_COUNT; i++) mean += plane[i]!;
      mean /= Math.max(1e-6, total);
      boxBlur(blurred, SMALL_SIDE, SMALL_SIDE, radius);
      for (let i = 0; i < SMALL_COUNT; i++)
        blurred[i] = (blurred[i]! + mean * MEAN_WEIGHT) / (nearby[i]! + MEAN_WEIGHT);
    }
  }

  /** Returns a slow pace while the light only flickers, and 1 if it really changes. */
  #pace(weight: Float32Array, elapsedSeconds: number): number {
    let step = 0;
    let total = 0;
    for (let i = 0; i < SMALL_COUNT; i++) {
      step += weight[i]! * (this.#now[0]![i]! - this.#small[0]![i]!);
      total += weight[i]!;
    }
    const jump = ramp(FLASH_LUMA, Math.abs(step) / Math.max(1e-6, total));
    const calm = elapsedSeconds / (LIGHT_SECONDS + elapsedSeconds);
    return calm + (1 - calm) * jump;
  }
}
