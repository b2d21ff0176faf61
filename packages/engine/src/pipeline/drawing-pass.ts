import { boxOfPoints } from '../face/geometry/box.ts';
import type { FaceBox } from '../face/geometry/face.ts';
import { LANDMARK_COUNT } from '../face/geometry/face.ts';
import type { FaceTrack } from '../face/track/face-track.ts';
import { readRecord } from '../face/geometry/mesh-record.ts';
import type { TimedFace } from '../face/persons/person-timeline.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import { wholePixels } from '../face/frame/video-frame.ts';
import type { RestoreStrength } from '../mesh/match/restore-strength.ts';
import type { ClipSource } from './clip-source.ts';
import { FittedSource } from './fitted-source.ts';
import { identitySimilarity, LEAST_FACE_FOR_IDENTITY_PX } from './identity-similarity.ts';
import type { SwapParts } from './swap-image.ts';
import type { SwapVideoReceipt } from './swap-video.ts';

/**
 * Number of swapped frames at which identity is first measured; each later measurement is three
 * times as far into the clip.
 */
const FIRST_IDENTITY_FRAME = 8;

/** Margin around the mesh, in pixels, that bilinear samples at its edge may touch. */
const MARGIN_PX = 4;

/** Draws a clip's frames from first to last, and counts them. */
export class DrawingPass {
  readonly #parts: SwapParts;
  readonly #strength: RestoreStrength;
  /** The source, prepared when the first face is drawn. */
  #source: FittedSource | null = null;
  /** Landmarks of the face drawn last, in pixels of the drawn part of the frame. */
  readonly #landmarks = new Float32Array(LANDMARK_COUNT * 3);
  #lastSeconds = 0;
  #total = 0;
  #swapped = 0;
  #bridged = 0;
  /** Number of frames since the last swapped one. */
  #gap = 0;
  #longestGap = 0;
  #nextIdentityFrame = FIRST_IDENTITY_FRAME;
  readonly #similarities: number[] = [];

  constructor(parts: SwapParts, strength: RestoreStrength) {
    this.#parts = parts;
    this.#strength = strength;
  }

  /** Number of frames so far. */
  get total(): number {
    return this.#total;
  }

  /**
   * Draws the face into the next frame; without a face (null) the frame is only counted.
   * @param tracks those of the face's person that are known so far
   * @returns the part of the frame that was drawn in, or null
   */
  async draw(
    frame: VideoFrame,
    face: TimedFace | null,
    tracks: readonly FaceTrack[],
    source: ClipSource,
  ): Promise<FaceBox | null> {
    this.#total += 1;
    const elapsedSeconds = Math.max(0, frame.timeSeconds - this.#lastSeconds);
    this.#lastSeconds = frame.timeSeconds;
    if (face === null) {
      this.#gap += 1;
      return null;
    }
    this.#countSwapped(face);
    const landmarks = readRecord(face.mesh, this.#landmarks);
    const rect = wholePixels(boxAround(landmarks), frame.width, frame.height);
    if (rect.width < 2 || rect.height < 2) return null;
    for (let i = 0; i < landmarks.length; i += 3) {
      landmarks[i]! -= rect.x;
      landmarks[i + 1]! -= rect.y;
    }
    const { analyser, swapper } = this.#parts;
    this.#source ??= new FittedSource(swapper, source.photos, tracks, this.#strength, analyser.hands);
    const { opacity, isFresh } = face;
    const moment = { opacity, isFresh, elapsedSeconds, grainSeed: this.#total };
    await this.#source.track.draw(frame, rect, landmarks, moment);
    return rect;
  }

  /**
   * Measures on some frames how similar the drawn face is to the source.
   * @param rect part of the frame that was drawn in
   * @param wanted embedding of the source
   */
  async measureIdentity(frame: VideoFrame, rect: FaceBox, wanted: Float32Array): Promise<void> {
    if (this.#swapped < this.#nextIdentityFrame) return;
    if (Math.max(rect.width, rect.height) < LEAST_FACE_FOR_IDENTITY_PX) return;
    this.#nextIdentityFrame = 3 * this.#swapped;
    const reached = await this.#parts.analyser.embed(frame.rgb(rect), { landmarks: this.#landmarks });
    this.#similarities.push(identitySimilarity(wanted, reached));
  }

  /** Returns whether the source was prepared as all of the person's faces require. */
  suits(tracks: readonly FaceTrack[]): boolean {
    return this.#source !== null && this.#source.suits(tracks);
  }

  get receipt(): Omit<SwapVideoReceipt, 'facesFound' | 'source' | 'timingsMs'> {
    const sorted = [...this.#similarities].sort((a, b) => a - b);
    return {
      frames: {
        total: this.#total,
        swapped: this.#swapped,
        bridged: this.#bridged,
        passedThrough: this.#total - this.#swapped,
      },
      longestGapFrames: this.#longestGap,
      identitySimilarity: sorted.length === 0 ? null : sorted[sorted.length >> 1]!,
      sourceShares: this.#source?.shares ?? [],
    };
  }

  /** Releases the memory of the prepared source. */
  close(): void {
    this.#source?.close();
  }

  #countSwapped({ isBridged }: TimedFace): void {
    if (this.#swapped > 0) this.#longestGap = Math.max(this.#longestGap, this.#gap);
    this.#gap = 0;
    this.#swapped += 1;
    if (isBridged) this.#bridged += 1;
  }
}

/**
 * Returns the part of a frame to draw a face in. Its corner is on even pixels because chroma has a
 * sample for every other one.
 */
function boxAround(landmarks: Float32Array): FaceBox {
  const { left, top, right, bottom } = boxOfPoints(landmarks, LANDMARK_COUNT);
  return {
    x: evenBelow(left - MARGIN_PX),
    y: evenBelow(top - MARGIN_PX),
    width: right - left + 2 * MARGIN_PX + 2,
    height: bottom - top + 2 * MARGIN_PX + 2,
  };
}

function evenBelow(value: number): number {
  return 2 * Math.floor(value / 2);
}
