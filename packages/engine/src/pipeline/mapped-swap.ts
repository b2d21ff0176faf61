import type { RgbImage } from '@guise/kernels/image.ts';
import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import { countOthers } from '../face/persons/main-person.ts';
import { PersonTimeline, type TimedFace } from '../face/persons/person-timeline.ts';
import type { Person } from '../face/persons/persons.ts';
import { findPersons } from '../face/persons/persons.ts';
import { breathe } from '../face/track/breathe.ts';
import { FaceTracks } from '../face/track/face-tracks.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import { analyseClipSource, type ClipSource } from './clip-source.ts';
import { DrawingPass } from './drawing-pass.ts';
import { findMapped, type MappedPerson } from './mapped-persons.ts';
import type { ReviewedFace } from './review-face.ts';
import type { SwapParts } from './swap-parts.ts';
import type { SwapVideoReceipt } from './swap-video.ts';

/** A person of a clip, and the photo of the person's replacement. */
export interface PersonMapping extends MappedPerson {
  /** Name of the photo in error messages. */
  readonly sourceName: string;
}

export interface MappedSwapRequest {
  readonly restore: RestoreOptions;
  readonly mappings: readonly PersonMapping[];
  /** Photos of the people who replace the mapped people, in their order. */
  readonly sources: readonly RgbImage[];
}

/** Report about one person of a clip. */
export interface MappedReceipt {
  readonly framesSwapped: number;
  readonly longestGapFrames: number;
  /** Similarity to the person's source, 0..1, or null if all faces were too small. */
  readonly identitySimilarity: number | null;
}

/** Report about a clip in which several people are swapped. */
export interface MappedClipReceipt extends Omit<SwapVideoReceipt, 'source' | 'sourceShares'> {
  readonly persons: readonly MappedReceipt[];
  /** Faces of the sources, in the order of the mappings. */
  readonly sources: readonly ReviewedFace[];
}

/** A mapped person while the clip is drawn. */
interface DrawnPerson {
  readonly person: Person;
  readonly timeline: PersonTimeline;
  readonly source: ClipSource;
  readonly pass: DrawingPass;
}

/**
 * Opens the swap of several people of one clip. It is known who is who only after all frames have
 * been looked at, so the frames are shown twice: first all to `look`, then all to `draw`.
 * @throws TaskFailure NO_FACE_DETECTED if a source shows no face
 */
export async function openMappedSwap(parts: SwapParts, request: MappedSwapRequest): Promise<MappedSwap> {
  const { mappings, sources, restore } = request;
  const analysed: ClipSource[] = [];
  for (const [k, source] of sources.entries())
    analysed.push(await analyseClipSource(parts, source, [], mappings[k]!.sourceName));
  return new MappedSwap(parts, restore, mappings, analysed, await loadCanonicalFace());
}

/** Swaps several people of one clip; see `openMappedSwap`. */
export class MappedSwap {
  readonly #parts: SwapParts;
  readonly #restore: RestoreOptions;
  readonly #mappings: readonly PersonMapping[];
  readonly #sources: readonly ClipSource[];
  readonly #faces: FaceTracks;
  #size = { width: 1, height: 1 };
  #drawn: readonly DrawnPerson[] = [];
  #facesFound = 0;
  #frame = 0;
  #swapped = 0;
  #bridged = 0;
  #gap = 0;
  #longestGap = 0;
  readonly #timingsMs = { look: 0, draw: 0 };

  constructor(
    parts: SwapParts,
    restore: RestoreOptions,
    mappings: readonly PersonMapping[],
    sources: readonly ClipSource[],
    canonical: Awaited<ReturnType<typeof loadCanonicalFace>>,
  ) {
    this.#parts = parts;
    this.#restore = restore;
    this.#mappings = mappings;
    this.#sources = sources;
    this.#faces = new FaceTracks(parts.analyser, canonical, true);
  }

  /**
   * Looks at the next frame. The caller keeps each frame until the frame after it has been looked
   * at.
   */
  async look(frame: VideoFrame): Promise<void> {
    const since = performance.now();
    this.#size = { width: frame.width, height: frame.height };
    await this.#faces.look(frame);
    this.#timingsMs.look += performance.now() - since;
  }

  /**
   * Decides who is who, after the last look.
   * @throws TaskFailure FACE_NOT_FOUND, FACE_BOX_CONFLICT, which name the mapping
   */
  async choose(): Promise<void> {
    const faces = this.#faces;
    await faces.readLeft();
    faces.finish();
    const mapped = findMapped({ faces, ...this.#size }, this.#mappings);
    const [main, ...others] = findPersons(faces);
    this.#facesFound = main === undefined ? 0 : 1 + countOthers(main, others);
    this.#drawn = mapped.map((person, k) => ({
      person,
      timeline: new PersonTimeline(faces, person),
      source: this.#sources[k]!,
      pass: new DrawingPass(this.#parts, this.#restore),
    }));
  }

  /** Draws the mapped faces of the next frame and keeps everything else. */
  async draw(frame: VideoFrame): Promise<void> {
    await breathe();
    const since = performance.now();
    const faces = this.#drawn.map((each) => ({ ...each, face: each.timeline.at(this.#frame) }));
    this.#frame += 1;
    this.#count(faces.map(({ face }) => face));
    // Nearer faces cover farther ones.
    const fromFarToNear = faces.toSorted((a, b) => (a.face?.mesh.size ?? 0) - (b.face?.mesh.size ?? 0));
    for (const { face, person, source, pass } of fromFarToNear) {
      const rect = await pass.draw(frame, face, person.tracks, source);
      if (rect && !face?.isBridged) await pass.measureIdentity(frame, rect, source.identity);
    }
    this.#timingsMs.draw += performance.now() - since;
  }

  receipt(): MappedClipReceipt {
    const persons = this.#drawn.map(({ pass: { receipt } }) => ({
      framesSwapped: receipt.frames.swapped,
      longestGapFrames: receipt.longestGapFrames,
      identitySimilarity: receipt.identitySimilarity,
    }));
    const similarities = persons.flatMap(({ identitySimilarity }) => identitySimilarity ?? []);
    return {
      facesFound: this.#facesFound,
      frames: {
        total: this.#frame,
        swapped: this.#swapped,
        bridged: this.#bridged,
        passedThrough: this.#frame - this.#swapped,
      },
      longestGapFrames: this.#longestGap,
      identitySimilarity: similarities.length === 0 ? null : Math.min(...similarities),
      persons,
      sources: this.#sources.map(({ reviewed }) => reviewed),
      timingsMs: this.#timingsMs,
    };
  }

  /** Releases memory. Call it after success and after failure. */
  close(): void {
    for (const { pass } of this.#drawn) pass.close();
  }

  /** Counts a frame, and whether any of the people is swapped in it. */
  #count(faces: readonly (TimedFace | null)[]): void {
    const shown = faces.filter((face) => face !== null);
    if (shown.length === 0) {
      this.#gap += 1;
      return;
    }
    if (this.#swapped > 0) this.#longestGap = Math.max(this.#longestGap, this.#gap);
    this.#gap = 0;
    this.#swapped += 1;
    if (shown.some(({ isBridged }) => isBridged)) this.#bridged += 1;
  }
}
