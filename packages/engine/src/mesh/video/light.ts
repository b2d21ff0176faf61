import { boxBlur, boxRadius } from '@guise/kernels/box-blur.ts';
import { enlargeSquare, halvePlane } from '@guise/kernels/plane-scale.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from '../uv/atlas.ts';

/** Side of the planes that a video's light is given in. */
export const TRACK_LIGHT_SIDE = 64;
/** Light is smooth: it is found in still smaller planes. */
const SMALL_SIDE = 32;
const COUNT = SMALL_SIDE * SMALL_SIDE;
/** As in `light.ts`, in shares of the side. */
const LOCAL_RADIUS = boxRadius(SMALL_SIDE / 9);
const BROAD_RADIUS = boxRadius(SMALL_SIDE / 4);
/** Light is steadied over this time; steps of its mean luma between these are followed partly and at once. */
const LIGHT_SECONDS = 0.12;
const FLICKER_LUMA = 3;
const FLASH_LUMA = 14;
const FLOOR = 1e-4;

/** Light and tone of a followed face's skin, steadied in time. */
export class TrackLight {
  /** Luma and colour differences, `TRACK_LIGHT_SIDE` squared. */
  readonly luma = new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE);
  readonly blue = new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE);
  readonly red = new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE);
  /** It has just changed by more than it flickers. */
  hasJumped = true;
  readonly #large = new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE);
  readonly #weight = new Float32Array(COUNT);
  readonly #spread = new Float32Array(COUNT);
  readonly #weighted = [0, 1, 2].map(() => new Float32Array(COUNT));
  readonly #small = [0, 1, 2].map(() => new Float32Array(COUNT));
  readonly #now = [0, 1, 2].map(() => new Float32Array(COUNT));
  readonly #local = [0, 1, 2].map(() => new Float32Array(COUNT));
  readonly #broad = [0, 1, 2].map(() => new Float32Array(COUNT));

  /**
   * @param face atlas of `TRACK_LIGHT_SIDE` @param weight of each texel
   * @param share 0..1: the local light over the broad one
   */
  follow(face: Atlas, weight: Float32Array, share: number, elapsedSeconds: number, isFresh: boolean): void {
    const small = halvePlane(weight, TRACK_LIGHT_SIDE, TRACK_LIGHT_SIDE, this.#weight);
    this.#weigh(face.luma, weight, 0);
    this.#weigh(face.blue, weight, 1);
    this.#weigh(face.red, weight, 2);
    const weighted = this.#weighted;
    this.#blur(weighted, small, LOCAL_RADIUS, this.#local);
    this.#blur(weighted, small, BROAD_RADIUS, this.#broad);
    for (let p = 0; p < 3; p++) {
      const now = this.#now[p]!;
      const local = this.#local[p]!;
      const broad = this.#broad[p]!;
      for (let i = 0; i < COUNT; i++) now[i] = broad[i]! + share * (local[i]! - broad[i]!);
    }
    const pace = isFresh ? 1 : this.#pace(small, elapsedSeconds);
    for (let p = 0; p < 3; p++) {
      const now = this.#now[p]!;
      const held = this.#small[p]!;
      for (let i = 0; i < COUNT; i++) held[i]! += pace * (now[i]! - held[i]!);
    }
    this.hasJumped = pace > 0.5;
    const factor = TRACK_LIGHT_SIDE / SMALL_SIDE;
    enlargeSquare(this.#small[0]!, SMALL_SIDE, factor, this.luma);
    enlargeSquare(this.#small[1]!, SMALL_SIDE, factor, this.blue);
    enlargeSquare(this.#small[2]!, SMALL_SIDE, factor, this.red);
  }

  #weigh(plane: Float32Array, weight: Float32Array, to: number): void {
    const large = this.#large;
    for (let i = 0; i < large.length; i++) large[i] = plane[i]! * weight[i]!;
    halvePlane(large, TRACK_LIGHT_SIDE, TRACK_LIGHT_SIDE, this.#weighted[to]!);
  }

  /** Normalised convolution: holes in the weight are bridged. */
  #blur(weighted: readonly Float32Array[], weight: Float32Array, radius: number, out: Float32Array[]): void {
    const spread = this.#spread;
    spread.set(weight);
    let total = 0;
    for (let i = 0; i < COUNT; i++) total += weight[i]!;
    boxBlur(spread, SMALL_SIDE, SMALL_SIDE, radius);
    for (let p = 0; p < weighted.length; p++) {
      const plane = weighted[p]!;
      const blurred = out[p]!;
      blurred.set(plane);
      let mean = 0;
      for (let i = 0; i < COUNT; i++) mean += plane[i]!;
      mean /= Math.max(1e-6, total);
      boxBlur(blurred, SMALL_SIDE, SMALL_SIDE, radius);
      for (let i = 0; i < COUNT; i++) blurred[i] = (blurred[i]! + mean * FLOOR) / (spread[i]! + FLOOR);
    }
  }

  /** Slow while the light only flickers, at once when it truly changes. */
  #pace(weight: Float32Array, elapsedSeconds: number): number {
    let step = 0;
    let total = 0;
    for (let i = 0; i < COUNT; i++) {
      step += weight[i]! * (this.#now[0]![i]! - this.#small[0]![i]!);
      total += weight[i]!;
    }
    const jump = smoothstep(FLICKER_LUMA, FLASH_LUMA, Math.abs(step) / Math.max(1e-6, total));
    const calm = elapsedSeconds / (LIGHT_SECONDS + elapsedSeconds);
    return calm + (1 - calm) * jump;
  }
}
