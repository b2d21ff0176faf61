import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';

/** Smallest number of frames between two studies. */
const MIN_FRAMES = 8;
/** Shortest time between two studies. Clips with more frames per second need no more studies. */
const MIN_SECONDS = 0.3;
/** Multiple of `MIN_SECONDS` after which a face that changes little is studied. */
const LITTLE_CHANGE_WAIT = 2;
/** Multiple of `MIN_SECONDS` after which an unchanged face is studied. */
const NO_CHANGE_WAIT = 3;
/** Difference in luma, minus the mean difference, from which a texel has changed. */
const CHANGED_LUMA = 12;
/** Difference in colour from which a texel has changed, levels. */
const CHANGED_COLOUR = 20;
/** Difference in facing from which a texel has changed. */
const CHANGED_FACING = 0.15;
/** Difference in luma from which a texel shows something else: a hand, a strand of hair. */
const STRANGE_LUMA = 30;
/** Facing below which a texel is ignored. */
const MIN_FACING = 0.1;
/** Share of changed texels from which the face changes a little. */
const LITTLE_CHANGED_SHARE = 0.01;
/** Share of changed texels from which the face changes much. */
const MUCH_CHANGED_SHARE = 0.1;
/** Share of texels that show something else from which the face changes much. */
const MUCH_STRANGE_SHARE = 0.01;
/** Change of the mean luma from which the face changes much. */
const MUCH_MEAN_LUMA = 4;

/**
 * Decides when a followed face is studied again: a few times a second if it changes much, and less
 * often otherwise.
 */
export class StudyRhythm {
  #frames = 0;
  #seconds = 0;
  /** Luma, blue, red and facing at the last study. */
  readonly #studied: readonly Float32Array[];

  /** @param side of the atlases that are compared */
  constructor(side: number) {
    this.#studied = [0, 1, 2, 3].map(() => new Float32Array(side * side));
  }

  /**
   * Returns whether a study is due. Call this method once per frame.
   * @param face of the rhythm's side, in `layout`
   * @param isFirst of its scene @param isWanted whether it is due in any case
   */
  isDue(
    face: Atlas,
    layout: AtlasLayout,
    elapsedSeconds: number,
    isFirst: boolean,
    isWanted = false,
  ): boolean {
    this.#frames += 1;
    this.#seconds += elapsedSeconds;
    const waited = Math.min(this.#frames / MIN_FRAMES, this.#seconds / MIN_SECONDS);
    const isDue =
      isFirst ||
      isWanted ||
      waited >= NO_CHANGE_WAIT ||
      (waited >= 1 && this.#changes(face, layout) * waited >= LITTLE_CHANGE_WAIT);
    if (!isDue) return false;
    this.#frames = 0;
    this.#seconds = 0;
    for (const [k, plane] of [face.luma, face.blue, face.red, face.facing].entries())
      this.#studied[k]!.set(plane);
    return true;
  }

  /** @returns the change since the last study: 2 is much, 1 a little, 0 none */
  #changes({ luma, blue, red, facing }: Atlas, layout: RegionMasks): 0 | 1 | 2 {
    const texels = bareTexels(layout);
    const [lumaThen, blueThen, redThen, facingThen] = this.#studied as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const mean = meanChange(luma, lumaThen, facing, facingThen, texels);
    if (Math.abs(mean) > MUCH_MEAN_LUMA) return 2;
    let other = 0;
    let strange = 0;
    for (let k = 0; k < texels.length; k++) {
      const i = texels[k]!;
      if (facing[i]! < MIN_FACING && facingThen[i]! < MIN_FACING) continue;
      const change = Math.abs(luma[i]! - lumaThen[i]! - mean);
      if (change > STRANGE_LUMA) strange += 1;
      if (
        change > CHANGED_LUMA ||
        Math.abs(blue[i]! - blueThen[i]!) > CHANGED_COLOUR ||
        Math.abs(red[i]! - redThen[i]!) > CHANGED_COLOUR ||
        Math.abs(facing[i]! - facingThen[i]!) > CHANGED_FACING
      )
        other += 1;
    }
    if (strange > MUCH_STRANGE_SHARE * texels.length || other > MUCH_CHANGED_SHARE * texels.length) return 2;
    return other > LITTLE_CHANGED_SHARE * texels.length ? 1 : 0;
  }
}

/** Measures the mean change of luma of the texels that are visible in both. */
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
    if (facing[i]! < MIN_FACING || facingThen[i]! < MIN_FACING) continue;
    sum += now[i]! - then[i]!;
    count += 1;
  }
  return sum / Math.max(1, count);
}

/** Texels of the face without eyes and mouth, which move all the time. */
const bareTexels = perLayout(({ oval, holes, side }: RegionMasks): Uint16Array => {
  const texels: number[] = [];
  for (let i = 0; i < side * side; i++) if (oval[i]! > 0.5 && holes[i] === 0) texels.push(i);
  return Uint16Array.from(texels);
});
