import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Front, LookInFront } from '../front/front.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { type FaceChange, FaceMemory } from './face-memory.ts';
import { TRACK_SIDE } from './light.ts';

/** Time after which a face is looked at again, although it is as it was. */
const LOOK_SECONDS = 2;
/** Time after which a face is looked at again if a little of it shows something else. */
const LITTLE_STRANGE_SECONDS = 0.9;
/** Share of the face that is a little: a lock of hair, or the shadows of a head that moves. */
const LITTLE_STRANGE_SHARE = 0.015;
/** Share of the face that shows something else from which it is looked at again at once. */
const MUCH_STRANGE_SHARE = 0.05;
/** Share of the face in another light or pose from which it is looked at again at once. */
const MUCH_CHANGED_SHARE = 0.3;

/** A followed face at a study. */
export interface FaceMoment {
  readonly timeSeconds: number;
  /** The face in a small atlas of `TRACK_SIDE`, and the layout of that atlas. */
  readonly small: Atlas;
  readonly smallLayout: RegionMasks;
  /** Whether to ignore what was found before. */
  readonly isFirst: boolean;
  /** Whether to look in any case. */
  readonly isWanted: boolean;
}

/**
 * Finds the things in front of a followed face. They lie still on the face most of the time, so the
 * network, the slowest one of a clip, looks only if the face has changed or enough time has passed.
 */
export class TrackFront {
  readonly #look: LookInFront;
  readonly #seen = new FaceMemory(TRACK_SIDE);
  #front: Front | null = null;
  #seconds = 0;

  constructor(look: LookInFront) {
    this.#look = look;
  }

  /** @param landmarks 478 x (x, y, z), pixels of the pyramid's image */
  async at(moment: FaceMoment, pyramid: ImagePyramid, landmarks: Float32Array): Promise<Front> {
    const { timeSeconds, small, smallLayout, isFirst, isWanted } = moment;
    const waited = timeSeconds - this.#seconds;
    if (this.#front && !isFirst && !isWanted && !isDue(waited, this.#seen.changeOf(small, smallLayout)))
      return this.#front;
    this.#seconds = timeSeconds;
    this.#seen.remember(small);
    this.#front = await this.#look(pyramid, landmarks);
    return this.#front;
  }
}

function isDue(waitedSeconds: number, { changed, strange }: FaceChange): boolean {
  if (strange >= MUCH_STRANGE_SHARE || changed >= MUCH_CHANGED_SHARE) return true;
  return waitedSeconds >= (strange >= LITTLE_STRANGE_SHARE ? LITTLE_STRANGE_SECONDS : LOOK_SECONDS);
}
