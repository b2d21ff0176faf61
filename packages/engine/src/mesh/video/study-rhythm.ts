import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';

/** Between two studies there are at least so many frames, and about so much time: films of more frames a second need no more. */
const LEAST_FRAMES = 8;
const LEAST_SECONDS = 0.3;
/** So many times as long a face waits that changes little, and one that does not. */
const LITTLE = 2;
const NOTHING = 3;
/** A texel is another one from this difference on: in luma beside the mean's, in colour, in how it looks at the camera. */
const OTHER_LUMA = 12;
const OTHER_COLOUR = 20;
const OTHER_FACING = 0.15;
/** From this one on it shows something else: a hand, a strand of hair. */
const STRANGE_LUMA = 30;
/** Texels that look away more than this show nothing. */
const LEAST_FACING = 0.1;
/** Shares of the face: it changes a little, and much, where so much is another; much, where so much shows something else. */
const LITTLE_OTHER = 0.01;
const MUCH_OTHER = 0.1;
const MUCH_STRANGE = 0.01;
/** How much brighter or darker all of it becomes when it changes much. */
const MUCH_MEAN = 4;

/** When a followed face is to be studied again: a few times a second while it changes much, less often the less it does. */
export class StudyRhythm {
  #frames = 0;
  #seconds = 0;
  /** Luma, blue, red and facing, as they were studied. */
  readonly #studied: readonly Float32Array[];

  /** @param side of the atlases that are compared */
  constructor(side: number) {
    this.#studied = [0, 1, 2, 3].map(() => new Float32Array(side * side));
  }

  /** Once for each frame. @param face of the rhythm's side, in `layout` @param isFirst of its scene */
  isDue(face: Atlas, layout: AtlasLayout, elapsedSeconds: number, isFirst: boolean): boolean {
    this.#frames += 1;
    this.#seconds += elapsedSeconds;
    const waited = Math.min(this.#frames / LEAST_FRAMES, this.#seconds / LEAST_SECONDS);
    const isDue =
      isFirst || waited >= NOTHING || (waited >= 1 && this.#changes(face, layout) * waited >= LITTLE);
    if (!isDue) return false;
    this.#frames = 0;
    this.#seconds = 0;
    for (const [k, plane] of [face.luma, face.blue, face.red, face.facing].entries())
      this.#studied[k]!.set(plane);
    return true;
  }

  /** @returns how much is another than was studied: 2 much, 1 a little, 0 nothing */
  #changes({ luma, blue, red, facing }: Atlas, layout: RegionMasks): 0 | 1 | 2 {
    const texels = bareTexels(layout);
    const [lumaThen, blueThen, redThen, facingThen] = this.#studied as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const mean = meanChange(luma, lumaThen, facing, facingThen, texels);
    if (Math.abs(mean) > MUCH_MEAN) return 2;
    let other = 0;
    let strange = 0;
    for (let k = 0; k < texels.length; k++) {
      const i = texels[k]!;
      if (facing[i]! < LEAST_FACING && facingThen[i]! < LEAST_FACING) continue;
      const change = Math.abs(luma[i]! - lumaThen[i]! - mean);
      if (change > STRANGE_LUMA) strange += 1;
      if (
        change > OTHER_LUMA ||
        Math.abs(blue[i]! - blueThen[i]!) > OTHER_COLOUR ||
        Math.abs(red[i]! - redThen[i]!) > OTHER_COLOUR ||
        Math.abs(facing[i]! - facingThen[i]!) > OTHER_FACING
      )
        other += 1;
    }
    if (strange > MUCH_STRANGE * texels.length || other > MUCH_OTHER * texels.length) return 2;
    return other > LITTLE_OTHER * texels.length ? 1 : 0;
  }
}

/** Of the texels that can be seen in both. */
function meanChange(
  now: Float32Array,
  then: Float32Array,
  facing: Float32Array,
  facingThen: Float32Array,
  texels: Uint16Array,
): number {
  let sum = 0;
  let count = 0;
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    if (facing[i]! < LEAST_FACING || facingThen[i]! < LEAST_FACING) continue;
    sum += now[i]! - then[i]!;
    count += 1;
  }
  return sum / Math.max(1, count);
}

/** Where the face is, but for eyes and mouth, which move all the time. */
const bareTexels = perLayout(({ oval, holes, side }: RegionMasks): Uint16Array => {
  const texels: number[] = [];
  for (let i = 0; i < side * side; i++) if (oval[i]! > 0.5 && holes[i] === 0) texels.push(i);
  return Uint16Array.from(texels);
});
