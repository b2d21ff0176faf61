import { TaskFailure } from '@guise/contract/errors.ts';
import { breathe } from '../face/track/breathe.ts';
import type { CanonicalFace } from '../face/geometry/canonical-face.ts';
import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import { FaceTracks } from '../face/track/face-tracks.ts';
import { MainPerson } from '../face/persons/main-person.ts';
import { BRIDGED_SECONDS } from '../face/persons/person-timeline.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import type { ClipSource } from './clip-source.ts';
import { analyseClipSource } from './clip-source.ts';
import { DrawingPass } from './drawing-pass.ts';
import type { ReviewedFace } from './review-face.ts';
import type { SwapParts } from './swap-parts.ts';
import type { SwapVideoReceipt, SwapVideoRequest, VideoSwap } from './swap-video.ts';

/**
 * Time by which analysis runs ahead of drawing, in seconds: just longer than the longest bridged
 * gap.
 */
const AHEAD_SECONDS = BRIDGED_SECONDS + 0.01;

/** Smallest number of frames by which analysis runs ahead, so that the mesh can be steadied. */
const MIN_FRAMES_AHEAD = 12;

/** Largest number of frames by which analysis runs ahead, which limits memory. */
const MAX_FRAMES_AHEAD = 24;

/**
 * Number of frames of lead before the first one is drawn, if one face is in sight. Each drawn frame
 * raises the lead by one, so that the encoder starts early.
 */
const FIRST_FRAMES_AHEAD = 5;

/** Number of frames without a face after which `isFaceless` is called. */
const FACELESS_FRAMES = 12;

/**
 * Opens a clip's swap. The source is analysed in the background. The first `look` at a frame throws
 * if the source cannot be used.
 */
export async function openVideoSwap(parts: SwapParts, request: SwapVideoRequest): Promise<VideoSwap> {
  const { source, additionalSources = [], ...wishes } = request;
  const canonical = await loadCanonicalFace();
  return new OnePassSwap(parts, wishes, analyseClipSource(parts, source, additionalSources), canonical);
}

/** A request without its photos. */
type Wishes = Omit<SwapVideoRequest, 'source' | 'additionalSources'>;

/** Combines the analysis of frames, the choice of the main person, and drawing. */
class OnePassSwap implements VideoSwap {
  readonly #parts: SwapParts;
  readonly #wishes: Wishes;
  readonly #source: Promise<ClipSource>;
  readonly #faces: FaceTracks;
  readonly #person: MainPerson;
  #pass: DrawingPass;
  #facesFound = 0;
  #reviewed: ReviewedFace | null = null;
  readonly #timingsMs = { look: 0, draw: 0 };

  constructor(parts: SwapParts, wishes: Wishes, source: Promise<ClipSource>, canonical: CanonicalFace) {
    this.#parts = parts;
    this.#wishes = wishes;
    this.#source = source;
    // `look` throws the error.
    source.catch(() => undefined);
    this.#faces = new FaceTracks(parts.analyser, canonical);
    this.#person = new MainPerson(this.#faces);
    this.#pass = new DrawingPass(parts, wishes.restore);
  }

  async look(frame: VideoFrame): Promise<void> {
    this.#reviewed = (await this.#source).reviewed;
    const since = performance.now();
    await this.#faces.look(frame);
    this.#timingsMs.look += performance.now() - since;
    const { tracks, times } = this.#faces;
    const { isFaceless } = this.#wishes;
    if (tracks.length > 0 || times.length !== FACELESS_FRAMES || isFaceless === undefined) return;
    if (await isFaceless()) throw this.#noFace();
  }

  #noFace(): TaskFailure {
    return new TaskFailure('NO_FACE_DETECTED', `No face was found in the ${this.#wishes.targetName}.`);
  }

  mayDraw(after: number, seconds: number): boolean {
    if (after >= MAX_FRAMES_AHEAD) return true;
    if (this.#faces.tracks.length === 1 && after >= FIRST_FRAMES_AHEAD + this.#pass.total) return true;
    return after >= MIN_FRAMES_AHEAD && seconds >= AHEAD_SECONDS;
  }

  async draw(frame: VideoFrame): Promise<void> {
    await breathe();
    const source = await this.#source;
    const since = performance.now();
    const index = this.#pass.total;
    if (index >= this.#faces.known) await this.#faces.readLeft();
    const face = this.#person.faceIn(index);
    const rect = await this.#pass.draw(frame, face, this.#person.tracks, source);
    this.#timingsMs.draw += performance.now() - since;
    if (rect && !face?.isBridged) await this.#pass.measureIdentity(frame, rect, source.identity);
  }

  finish(): boolean {
    if (this.#person.isSure) return true;
    this.#faces.finish();
    const clip = this.#person.finish();
    if (clip === null) throw this.#noFace();
    this.#facesFound = clip.facesFound;
    if (clip.wasRight && this.#pass.suits(this.#person.tracks)) return true;
    this.#pass.close();
    this.#pass = new DrawingPass(this.#parts, this.#wishes.restore);
    return false;
  }

  receipt(): SwapVideoReceipt {
    return {
      facesFound: this.#facesFound,
      ...this.#pass.receipt,
      source: this.#reviewed!,
      timingsMs: this.#timingsMs,
    };
  }

  async close(): Promise<void> {
    await this.#source.catch(() => undefined);
    this.#pass.close();
  }
}
