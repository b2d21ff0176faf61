import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { CanonicalFace } from '../face/canonical-face.ts';
import { loadCanonicalFace } from '../face/canonical-face.ts';
import { embeddingDistance } from '../face/embedding-distance.ts';
import type { FaceBox } from '../face/face.ts';
import { FaceTracks } from '../face/face-tracks.ts';
import type { MeshReader } from '../face/landmarks.ts';
import { readRecord } from '../face/mesh-record.ts';
import type { MeshRecord } from '../face/mesh-record.ts';
import { PersonTimeline } from '../face/person-timeline.ts';
import { findPersons } from '../face/persons.ts';
import type { VideoFrame } from '../face/video-frame.ts';
import { wholePixels } from '../face/video-frame.ts';
import type { TrackSwapper } from '../mesh/track-swapper.ts';
import { largestFace } from '../face/largest-face.ts';
import { detectSource } from './detect-source.ts';
import type { AdditionalSource, SourceLook } from './source-photos.ts';
import { lookAtSources, prepareSources } from './source-photos.ts';
import { STRANGER_DISTANCE } from './swap-image.ts';
import type { SwapParts } from './swap-image.ts';

export interface SwapVideoRequest {
  readonly source: RgbImage;
  /** More photos of the source's person. */
  readonly additionalSources?: readonly AdditionalSource[];
  /** For sentences: "target video", "target GIF". */
  readonly targetName: string;
  /** 0..1 each, as for images. */
  readonly faceRestoreVisibility: number;
  readonly restoreVisibility: number;
}

/** What was done to a clip. */
export interface SwapVideoReceipt {
  /** People in the clip. */
  readonly facesFound: number;
  readonly frames: {
    readonly total: number;
    /** With the new face, the bridged ones among them. */
    readonly swapped: number;
    /** Where the face was not seen for a moment and was put between the frames around. */
    readonly bridged: number;
    readonly passedThrough: number;
  };
  /** Longest run of passed-through frames between two swapped ones. */
  readonly longestGapFrames: number;
  /** 1 the same person as the source, 0 a stranger; null where no face was large enough to tell. */
  readonly identitySimilarity: number | null;
  /** Of the source and each additional photo in the texture of the face; together 1. */
  readonly sourceShares: readonly number[];
  readonly timingsMs: Readonly<Record<string, number>>;
}

/**
 * A clip's swap in two passes over the same frames: first every frame is looked at, which tells who the clip is about and
 * where the face goes; then every frame is drawn, with the frames before and after known. That is why nothing lags,
 * trembles or flashes: a filter that knows the future needs no delay, a gap is seen before it begins.
 */
export interface VideoSwap {
  /** First pass: every frame, in order. */
  look(frame: VideoFrame): Promise<void>;
  /** Whether a frame looked at so far shows a face. */
  readonly hasSeenFace: boolean;
  /** Between the passes. @throws TaskFailure NO_FACE_DETECTED where no frame shows a face */
  choose(): void;
  /** Second pass: every frame, in order; the primary person's face is replaced, all else is left. */
  draw(frame: VideoFrame): Promise<void>;
  receipt(): SwapVideoReceipt;
  /** To be called at the end, whichever it was: gives memory back. */
  close(): void;
}

/** Embeddings of smaller faces say little. */
const LEAST_FACE_FOR_IDENTITY_PX = 32;
/** Looks at the result, spread over the clip. */
const IDENTITY_LOOKS = 6;
/** Meshes that the mean shape is made of, spread over the clip. */
const SHAPE_LOOKS = 240;
/** Pixels around the mesh: what the bilinear samples at its edge may touch. */
const MARGIN_PX = 4;

/** @throws TaskFailure NO_FACE_DETECTED where a source shows none, FACE_MISMATCH where an additional photo shows somebody else */
export async function openVideoSwap(parts: SwapParts, request: SwapVideoRequest): Promise<VideoSwap> {
  const { analyser, swapper } = parts;
  const { source, additionalSources = [], ...wishes } = request;
  // Its thread starts while the source is looked at.
  const meshes = analyser.openMeshReader();
  try {
    const sourceFace = largestFace(await detectSource(analyser, source));
    if (!sourceFace) throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the source image.');
    return new TwoPassSwap(
      parts,
      wishes,
      await lookAtSources(analyser, { image: source, face: sourceFace }, additionalSources),
      await analyser.embed(source, sourceFace),
      swapper,
      meshes,
      await loadCanonicalFace(),
    );
  } catch (error) {
    meshes.close();
    throw error;
  }
}

/** A request without its photos, which are not to stay in memory as long as the clip lasts. */
type Wishes = Omit<SwapVideoRequest, 'source' | 'additionalSources'>;

class TwoPassSwap implements VideoSwap {
  readonly #parts: SwapParts;
  readonly #wishes: Wishes;
  /** Let go once they are prepared. */
  #sources: readonly SourceLook[];
  #sourceShares: readonly number[] = [];
  readonly #wanted: Float32Array;
  readonly #swapper: SwapParts['swapper'];
  readonly #meshes: MeshReader;
  readonly #faces: FaceTracks;
  readonly #similarities: number[] = [];
  readonly #timingsMs: Record<string, number> = { look: 0, draw: 0 };
  #facesFound = 0;
  #timeline: PersonTimeline | null = null;
  #track: TrackSwapper | null = null;
  #lookEvery = 1;
  #frames = 0;
  #swapped = 0;
  #bridged = 0;
  #gap = 0;
  #longestGap = 0;
  #lastSeconds = 0;

  constructor(
    parts: SwapParts,
    wishes: Wishes,
    sources: readonly SourceLook[],
    wanted: Float32Array,
    swapper: SwapParts['swapper'],
    meshes: MeshReader,
    canonical: CanonicalFace,
  ) {
    this.#parts = parts;
    this.#wishes = wishes;
    this.#sources = sources;
    this.#wanted = wanted;
    this.#swapper = swapper;
    this.#meshes = meshes;
    this.#faces = new FaceTracks(parts.analyser, meshes, canonical);
  }

  async look(frame: VideoFrame): Promise<void> {
    const since = performance.now();
    await this.#faces.look(frame);
    this.#timingsMs.look! += performance.now() - since;
  }

  get hasSeenFace(): boolean {
    return this.#faces.hasSeenFace;
  }

  choose(): void {
    const since = performance.now();
    // The second pass needs its memory.
    this.#meshes.close();
    const clip = this.#faces.finish();
    const [primary, ...others] = findPersons(clip);
    const timeline = primary && new PersonTimeline(clip, primary);
    if (!timeline || timeline.swappedFrames === 0) {
      throw new TaskFailure('NO_FACE_DETECTED', `No face was found in the ${this.#wishes.targetName}.`);
    }
    this.#facesFound = 1 + others.filter((person) => person.presence > 0.02 * primary.presence).length;
    this.#timeline = timeline;
    this.#lookEvery = Math.max(1, Math.floor(timeline.swappedFrames / IDENTITY_LOOKS));
    const { meshes } = timeline;
    const side = this.#swapper.atlasSide(facePixels(this.#sources[0]!.face.box), usualSize(meshes));
    const prepared = prepareSources(this.#swapper, this.#sources, side, this.#wishes.faceRestoreVisibility);
    this.#sources = [];
    this.#sourceShares = prepared.shares;
    this.#track = this.#swapper.follow(prepared.face, spread(meshes, SHAPE_LOOKS), this.#wishes);
    this.#timingsMs.choose = performance.now() - since;
  }

  async draw(frame: VideoFrame): Promise<void> {
    if (this.#timeline === null || this.#track === null) throw new Error('draw() before choose()');
    const since = performance.now();
    this.#frames += 1;
    const face = this.#timeline.at(frame.timeSeconds, frame.width);
    const elapsedSeconds = Math.max(0, frame.timeSeconds - this.#lastSeconds);
    this.#lastSeconds = frame.timeSeconds;
    if (face === null) {
      this.#gap += 1;
      return;
    }
    if (this.#swapped > 0) this.#longestGap = Math.max(this.#longestGap, this.#gap);
    this.#gap = 0;
    this.#swapped += 1;
    if (face.isBridged) this.#bridged += 1;
    const rect = wholePixels(boxAround(face.landmarks), frame.width, frame.height);
    if (rect.width < 2 || rect.height < 2) return;
    const { landmarks } = face;
    for (let i = 0; i < landmarks.length; i += 3) {
      landmarks[i]! -= rect.x;
      landmarks[i + 1]! -= rect.y;
    }
    const { opacity, isFresh } = face;
    const moment = { opacity, isFresh, elapsedSeconds, grainSeed: this.#frames };
    await this.#track.draw(frame, rect, landmarks, moment);
    this.#timingsMs.draw! += performance.now() - since;
    const isLook = this.#swapped % this.#lookEvery === Math.floor(this.#lookEvery / 2);
    if (!isLook || face.isBridged || Math.max(rect.width, rect.height) < LEAST_FACE_FOR_IDENTITY_PX) return;
    const reached = await this.#parts.analyser.embed(frame.rgb(rect), { landmarks });
    const distance = embeddingDistance(this.#wanted, reached);
    this.#similarities.push(Math.max(0, 1 - distance / STRANGER_DISTANCE));
  }

  close(): void {
    this.#meshes.close();
    this.#track?.close();
  }

  receipt(): SwapVideoReceipt {
    const looks = [...this.#similarities].sort((a, b) => a - b);
    return {
      facesFound: this.#facesFound,
      frames: {
        total: this.#frames,
        swapped: this.#swapped,
        bridged: this.#bridged,
        passedThrough: this.#frames - this.#swapped,
      },
      longestGapFrames: this.#longestGap,
      identitySimilarity: looks.length === 0 ? null : looks[looks.length >> 1]!,
      sourceShares: this.#sourceShares,
      timingsMs: this.#timingsMs,
    };
  }
}

function boxAround(landmarks: Float32Array): FaceBox {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < landmarks.length; i += 3) {
    left = Math.min(left, landmarks[i]!);
    right = Math.max(right, landmarks[i]!);
    top = Math.min(top, landmarks[i + 1]!);
    bottom = Math.max(bottom, landmarks[i + 1]!);
  }
  return {
    x: evenBelow(left - MARGIN_PX),
    y: evenBelow(top - MARGIN_PX),
    width: right - left + 2 * MARGIN_PX + 2,
    height: bottom - top + 2 * MARGIN_PX + 2,
  };
}

/** Chroma has a sample for every other pixel. */
function evenBelow(value: number): number {
  return 2 * Math.floor(value / 2);
}

function facePixels(box: FaceBox): number {
  return Math.max(box.width, box.height);
}

/** Larger than most of the clip's faces are. */
function usualSize(meshes: readonly MeshRecord[]): number {
  const sizes = meshes.map(({ size }) => size).sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length * 0.8)]!;
}

/** At most `count` of the meshes, evenly. */
function spread(meshes: readonly MeshRecord[], count: number): Float32Array[] {
  const step = Math.max(1, meshes.length / count);
  const some: Float32Array[] = [];
  for (let at = 0; at < meshes.length; at += step)
    some.push(readRecord(meshes[Math.floor(at)]!, new Float32Array(468 * 3)));
  return some;
}
