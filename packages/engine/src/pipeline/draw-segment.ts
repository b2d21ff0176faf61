import type { VideoFrame } from '../face/frame/video-frame.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { PlannedFace, PlannedPerson, PlannedSegment } from '../film/film-plan.ts';
import { breathe } from '../face/track/breathe.ts';
import type { ClipSource } from './clip-source.ts';
import type { ClipDrawer } from './clip-drawer.ts';
import { FaceDrawer } from './face-drawer.ts';
import { fitSource } from './fit-source.ts';
import { identitySimilarity } from './identity-similarity.ts';
import type { SwapParts } from './swap-parts.ts';

/** A segment of a film and the settings for drawing it. */
export interface SegmentRequest {
  readonly restore: RestoreOptions;
  /** People who get other faces. */
  readonly persons: readonly PlannedPerson[];
  /**
   * Sources of the persons, in their order. The film's other segments also use these objects, so
   * that a source is prepared once.
   */
  readonly sources: readonly ClipSource[];
  readonly segment: PlannedSegment;
}

/** What drawing a segment told about one person. */
export interface PersonReceipt {
  /** Similarity to the source in the measured frames, 0..1. */
  readonly similarities: readonly number[];
  /** Share of each photo in the face's texture; empty if no face was drawn. */
  readonly sourceShares: readonly number[];
}

/** Draws the faces of one segment of a film according to its plan. */
export class SegmentDrawing {
  readonly #from: number;
  readonly #faces: ReadonlyMap<number, readonly PlannedFace[]>;
  readonly #persons: readonly DrawnPerson[];

  constructor(parts: SwapParts, { persons, sources, segment, restore }: SegmentRequest) {
    this.#from = segment.from;
    this.#faces = Map.groupBy(segment.faces, ({ tick }) => tick);
    this.#persons = persons.map((person, k) => new DrawnPerson(parts, person, sources[k]!, restore));
  }

  /**
   * Draws the next frame, of the lead or of the segment itself.
   * @param tick time stamp, in ticks since the film's first picture
   */
  async draw(frame: VideoFrame, tick: number): Promise<void> {
    await breathe();
    const faces = this.#faces.get(tick) ?? [];
    // A frame of the lead matters only to the people whose faces it shows.
    for (const [k, person] of this.#persons.entries())
      if (tick >= this.#from || faces.some((face) => face.person === k)) person.follow(frame);
    // Nearer faces cover farther ones.
    for (const face of faces.toSorted((a, b) => a.mesh.size - b.mesh.size))
      await this.#persons[face.person]!.draw(frame, face);
  }

  /** One receipt for each person, in their order. */
  get receipts(): PersonReceipt[] {
    return this.#persons.map(({ receipt }) => receipt);
  }

  /** Releases the memory of the prepared sources. */
  close(): void {
    for (const person of this.#persons) person.close();
  }
}

/** A person while a segment is drawn. */
class DrawnPerson {
  readonly #parts: SwapParts;
  readonly #planned: PlannedPerson;
  readonly #source: ClipSource;
  readonly #restore: RestoreOptions;
  readonly #drawer = new FaceDrawer();
  readonly #similarities: number[] = [];
  /** The source, which is prepared when the first face is drawn. */
  #fitted: ClipDrawer | null = null;
  #lastSeconds: number | null = null;
  #elapsedSeconds = 0;

  constructor(parts: SwapParts, planned: PlannedPerson, source: ClipSource, restore: RestoreOptions) {
    this.#parts = parts;
    this.#planned = planned;
    this.#source = source;
    this.#restore = restore;
  }

  /** Moves the person's clock to the next frame. */
  follow({ timeSeconds }: VideoFrame): void {
    this.#elapsedSeconds = Math.max(0, timeSeconds - (this.#lastSeconds ?? timeSeconds));
    this.#lastSeconds = timeSeconds;
  }

  /** Draws the person's face into that frame. */
  async draw(frame: VideoFrame, face: PlannedFace): Promise<void> {
    const moment = {
      elapsedSeconds: this.#elapsedSeconds,
      grainSeed: face.frame + 1,
      isStudied: face.isStudied,
    };
    const rect = await this.#drawer.draw(frame, face, () => (this.#fitted ??= this.#fit()), moment);
    if (rect === null || !face.isMeasured) return;
    const { landmarks } = this.#drawer;
    const reached = await this.#parts.analyser.embed(frame.rgb(rect), { landmarks });
    this.#similarities.push(identitySimilarity(this.#source.identity, reached));
  }

  get receipt(): PersonReceipt {
    return { similarities: this.#similarities, sourceShares: this.#fitted?.shares ?? [] };
  }

  close(): void {
    this.#fitted?.close();
  }

  #fit(): ClipDrawer {
    const { meshes, litFrom } = this.#planned;
    const faces = { records: meshes, litFrom, isWholeClip: true };
    return fitSource(this.#parts, this.#source.photos, faces, this.#restore);
  }
}
