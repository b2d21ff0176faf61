import type { VideoFrame } from '../face/frame/video-frame.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { ClipSource } from './clip-source.ts';
import { FaceDrawer } from './face-drawer.ts';
import type { ClipDrawer } from './clip-drawer.ts';
import { fitSource } from './fit-source.ts';
import { identitySimilarity } from './identity-similarity.ts';
import type { SwapParts } from './swap-parts.ts';
import type { PlannedFace, PlannedSegment, ReadPlan } from '../film/film-plan.ts';

/** A segment of a film and the settings for drawing it. */
export interface SegmentRequest {
  readonly restore: RestoreOptions;
  /** Object that the film's other segments also use, so that the source is prepared once. */
  readonly source: ClipSource;
  readonly plan: ReadPlan;
  readonly segment: PlannedSegment;
}

/** Result of drawing a segment. */
export interface SegmentReceipt {
  /** Similarity to the source in the measured frames, 0..1. */
  readonly similarities: readonly number[];
  /** Share of each photo in the face's texture; empty if no face was drawn. */
  readonly sourceShares: readonly number[];
}

/** Draws the faces of one segment of a film according to its plan. */
export class SegmentDrawing {
  readonly #parts: SwapParts;
  readonly #restore: RestoreOptions;
  readonly #source: ClipSource;
  readonly #plan: ReadPlan;
  readonly #faces: ReadonlyMap<number, PlannedFace>;
  readonly #drawer = new FaceDrawer();
  readonly #similarities: number[] = [];
  #fitted: ClipDrawer | null = null;
  #lastSeconds: number | null = null;

  constructor(parts: SwapParts, { source, plan, segment, restore }: SegmentRequest) {
    this.#parts = parts;
    this.#restore = restore;
    this.#source = source;
    this.#plan = plan;
    this.#faces = new Map(segment.faces.map((face) => [face.tick, face]));
  }

  /**
   * Draws the next frame, of the lead or of the segment itself.
   * @param tick time stamp, in ticks since the film's first picture
   */
  async draw(frame: VideoFrame, tick: number): Promise<void> {
    const elapsedSeconds = Math.max(0, frame.timeSeconds - (this.#lastSeconds ?? frame.timeSeconds));
    this.#lastSeconds = frame.timeSeconds;
    const face = this.#faces.get(tick);
    if (face === undefined) return;
    const moment = { elapsedSeconds, grainSeed: face.frame + 1, isStudied: face.isStudied };
    const rect = await this.#drawer.draw(frame, face, () => (this.#fitted ??= this.#fit()), moment);
    if (rect === null || !face.isMeasured) return;
    const { landmarks } = this.#drawer;
    const reached = await this.#parts.analyser.embed(frame.rgb(rect), { landmarks });
    this.#similarities.push(identitySimilarity(this.#source.identity, reached));
  }

  get receipt(): SegmentReceipt {
    return { similarities: this.#similarities, sourceShares: this.#fitted?.shares ?? [] };
  }

  /** Releases the memory of the prepared source. */
  close(): void {
    this.#fitted?.close();
  }

  #fit(): ClipDrawer {
    const faces = { records: this.#plan.meshes(), litFrom: this.#plan.litFrom, isWholeClip: true };
    return fitSource(this.#parts, this.#source.photos, faces, this.#restore);
  }
}
