import type { Atlas } from '../uv/atlas.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { type FaceChange, FaceMemory } from './face-memory.ts';

/** Smallest number of frames between two studies. */
const MIN_FRAMES = 8;
/** Shortest time between two studies. Clips with more frames per second need no more studies. */
const MIN_SECONDS = 0.3;
/** Multiple of `MIN_SECONDS` after which a face that changes little is studied. */
const LITTLE_CHANGE_WAIT = 2;
/** Multiple of `MIN_SECONDS` after which an unchanged face is studied. */
const NO_CHANGE_WAIT = 3;
/** Share of changed texels from which the face changes a little. */
const LITTLE_CHANGED_SHARE = 0.01;
/** Share of changed texels from which the face changes much. */
const MUCH_CHANGED_SHARE = 0.2;
/** Share of texels that show something else from which the face changes much. */
const MUCH_STRANGE_SHARE = 0.02;
/** Change of the mean luma from which the face changes much. */
const MUCH_MEAN_LUMA = 6;

/**
 * Decides when a followed face is studied again: a few times a second if it changes much, and less
 * often otherwise.
 */
export class StudyRhythm {
  #frames = 0;
  #seconds = 0;
  /** The face at the last study. */
  readonly #studied: FaceMemory;

  /** @param side of the atlases that are compared */
  constructor(side: number) {
    this.#studied = new FaceMemory(side);
  }

  /**
   * Returns whether a study is due. Call this method once per frame.
   * @param face of the rhythm's side, in `layout`
   * @param isFirst of its scene @param isWanted whether it is due in any case
   */
  isDue(
    face: Atlas,
    layout: RegionMasks,
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
      (waited >= 1 && levelOf(this.#studied.changeOf(face, layout)) * waited >= LITTLE_CHANGE_WAIT);
    if (!isDue) return false;
    this.#frames = 0;
    this.#seconds = 0;
    this.#studied.remember(face);
    return true;
  }
}

/** Returns how much a face has changed: 2 is much, 1 a little, 0 nothing. */
function levelOf({ meanLuma, changed, strange }: FaceChange): 0 | 1 | 2 {
  const isMuch =
    Math.abs(meanLuma) > MUCH_MEAN_LUMA || strange > MUCH_STRANGE_SHARE || changed > MUCH_CHANGED_SHARE;
  if (isMuch) return 2;
  return changed > LITTLE_CHANGED_SHARE ? 1 : 0;
}
