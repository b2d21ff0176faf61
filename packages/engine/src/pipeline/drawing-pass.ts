import type { FaceBox } from '../face/geometry/face.ts';
import type { FaceTrack } from '../face/track/face-track.ts';
import type { TimedFace } from '../face/persons/person-timeline.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { ClipSource } from './clip-source.ts';
import { FaceDrawer } from './face-drawer.ts';
import type { ClipDrawer } from './clip-drawer.ts';
import { fitSource } from './fit-source.ts';
import { litFrom, meshesOf } from './fitted-source.ts';
import { IdentityRhythm, identitySimilarity } from './identity-similarity.ts';
import type { SwapParts } from './swap-parts.ts';
import type { SwapVideoReceipt } from './swap-video.ts';

/** Draws a clip's frames from first to last, and counts them. */
export class DrawingPass {
  readonly #parts: SwapParts;
  readonly #restore: RestoreOptions;
  /** The source, which is prepared when the first face is drawn. */
  #source: ClipDrawer | null = null;
  readonly #drawer = new FaceDrawer();
  #lastSeconds = 0;
  #total = 0;
  #swapped = 0;
  #bridged = 0;
  /** Number of frames since the last swapped one. */
  #gap = 0;
  #longestGap = 0;
  readonly #identityRhythm = new IdentityRhythm();
  readonly #similarities: number[] = [];

  constructor(parts: SwapParts, restore: RestoreOptions) {
    this.#parts = parts;
    this.#restore = restore;
  }

  /** Number of frames so far. */
  get total(): number {
    return this.#total;
  }

  /**
   * Draws the face into the next frame. Without a face (null), the frame is only counted.
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
    return await this.#drawer.draw(
      frame,
      face,
      () =>
        (this.#source ??= fitSource(
          this.#parts,
          source.photos,
          { records: meshesOf(tracks), litFrom: litFrom(tracks) },
          this.#restore,
        )),
      { elapsedSeconds, grainSeed: this.#total },
    );
  }

  /**
   * Measures in some frames how similar the drawn face is to the source.
   * @param rect part of the frame that was drawn in
   * @param wanted embedding of the source
   */
  async measureIdentity(frame: VideoFrame, rect: FaceBox, wanted: Float32Array): Promise<void> {
    if (!this.#identityRhythm.isDue(this.#swapped, Math.max(rect.width, rect.height))) return;
    const { landmarks } = this.#drawer;
    const reached = await this.#parts.analyser.embed(frame.rgb(rect), { landmarks });
    this.#similarities.push(identitySimilarity(wanted, reached));
  }

  /** Returns whether the source is prepared as all of the person's faces require. */
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
