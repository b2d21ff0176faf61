import { TaskFailure } from '@guise/contract/errors.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { FaceAnalyser } from '../face/analyser.ts';
import type { CanonicalFace } from '../face/canonical-face.ts';
import { loadCanonicalFace } from '../face/canonical-face.ts';
import { embeddingDistance } from '../face/embedding-distance.ts';
import { LANDMARK_COUNT, MESH_VERTEX_COUNT } from '../face/face.ts';
import type { FaceBox } from '../face/face.ts';
import type { FaceTrack } from '../face/face-tracks.ts';
import { FaceTracks } from '../face/face-tracks.ts';
import { readRecord } from '../face/mesh-record.ts';
import type { MeshRecord } from '../face/mesh-record.ts';
import type { TimedFace } from '../face/person-timeline.ts';
import { BRIDGED_SECONDS, isNear, PersonTimeline } from '../face/person-timeline.ts';
import { findPersons, isOf } from '../face/persons.ts';
import type { VideoFrame } from '../face/video-frame.ts';
import { wholePixels } from '../face/video-frame.ts';
import { breathe } from '../face/breathe.ts';
import type { SourceFace } from '../mesh/source-face.ts';
import type { TrackSwapper } from '../mesh/track-swapper.ts';
import { largestFace } from '../face/largest-face.ts';
import { detectSource } from './detect-source.ts';
import type { AdditionalSource, SourceLook } from './source-photos.ts';
import { aroundFace, lookAtSources, prepareSources } from './source-photos.ts';
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
 * A clip's swap in one pass over its frames. A frame is drawn once those of about half a second after it were looked at, so that
 * nothing lags, trembles or flashes: a filter that knows the future needs no delay, a gap is seen before it begins. Who the clip is
 * about is known for sure only at its end: where it turns out otherwise than it looked, all frames are drawn once more.
 */
export interface VideoSwap {
  /**
   * Every frame, in order; each is to be kept until the one after it was looked at.
   * @throws TaskFailure NO_FACE_DETECTED where a source shows none, FACE_MISMATCH where an additional photo shows somebody else
   */
  look(frame: VideoFrame): Promise<void>;
  /** Whether the next frame can be drawn, `after` frames after it, and those of so many seconds, having been looked at. */
  mayDraw(after: number, seconds: number): boolean;
  /** Every frame, in order; the person's face is replaced, all else is left. */
  draw(frame: VideoFrame): Promise<void>;
  /**
   * After the last frame. @returns whether what was drawn is right; if not, every frame is to be drawn again, without a look
   * @throws TaskFailure NO_FACE_DETECTED where no frame shows a face
   */
  finish(): boolean;
  receipt(): SwapVideoReceipt;
  /** To be called at the end, whichever it was: gives memory back, once nothing is under way. */
  close(): Promise<void>;
}

/** What a pass over a clip's frames does with them: each goes to `ahead` first, then, once that has seen enough, to `onFrame`. */
export interface FrameHooks {
  readonly ahead?: {
    readonly onFrame: (frame: VideoFrame) => Promise<void>;
    readonly isEnough: (after: number, seconds: number) => boolean;
  };
  readonly onFrame: (frame: VideoFrame) => Promise<void>;
}

/**
 * Swaps a clip.
 * @param pass goes over all its frames, in order; what it returns the second time, where there is one, takes the place of the first
 * @throws what `pass` throws; TaskFailure NO_FACE_DETECTED
 */
export async function swapFrames<T>(
  swap: VideoSwap,
  pass: (hooks: FrameHooks, isAgain: boolean) => Promise<T>,
): Promise<T> {
  const onFrame = (frame: VideoFrame): Promise<void> => swap.draw(frame);
  const ahead = {
    onFrame: (frame: VideoFrame) => swap.look(frame),
    isEnough: (after: number, seconds: number) => swap.mayDraw(after, seconds),
  };
  const made = await pass({ ahead, onFrame }, false);
  return swap.finish() ? made : pass({ onFrame }, true);
}

/** How far looking is ahead of drawing: as long as a gap that is bridged, and frames enough for the mesh to be steady, */
const AHEAD_SECONDS = BRIDGED_SECONDS + 0.01;
const LEAST_AHEAD = 12;
/** but no more than memory has room for. */
const MOST_AHEAD = 24;
/**
 * With one face in sight so many frames are enough after the clip's first, one more after the second and so on: the encoder is to have
 * something to do soon.
 */
const FIRST_AHEAD = 5;
/** Embeddings of smaller faces say little. */
const LEAST_FACE_FOR_IDENTITY_PX = 32;
/** Swapped frames before the first look at the result; each next one is three times as far into the clip. */
const FIRST_IDENTITY_LOOK = 8;
/** Tracks that a new one is compared with, at most: a film can have thousands. */
const MOST_TRACKS = 24;
/** Meshes of a person that are looked at together, at most. */
const MOST_MESHES = 24;
/** Faces in whole this much larger or smaller than they were at first are no reason to draw again. */
const SIZE_TOLERANCE = 1.25;
/** So is the difference of opacity in one frame. */
const OPACITY_TOLERANCE = 0.02;
/** Pixels around the mesh: what the bilinear samples at its edge may touch. */
const MARGIN_PX = 4;

/** The source is looked at while the clip is being opened; what is wrong with it is told by the first look at a frame. */
export async function openVideoSwap(parts: SwapParts, request: SwapVideoRequest): Promise<VideoSwap> {
  const { source, additionalSources = [], ...wishes } = request;
  const canonical = await loadCanonicalFace();
  return new OnePassSwap(parts, wishes, seeSource(parts.analyser, source, additionalSources), canonical);
}

/** The source's photos, looked at, and who they show. */
interface KnownSource {
  readonly looks: readonly SourceLook[];
  readonly identity: Float32Array;
}

async function seeSource(
  analyser: FaceAnalyser,
  source: RgbImage,
  additionalSources: readonly AdditionalSource[],
): Promise<KnownSource> {
  const sourceFace = largestFace(await detectSource(analyser, source));
  if (!sourceFace) throw new TaskFailure('NO_FACE_DETECTED', 'No face was found in the source image.');
  // Kept as long as the clip lasts: only what is around the face.
  const first = aroundFace(source, sourceFace);
  return {
    looks: await lookAtSources(analyser, first, additionalSources),
    identity: await analyser.embed(source, sourceFace),
  };
}

/** A request without its photos. */
type Wishes = Omit<SwapVideoRequest, 'source' | 'additionalSources'>;

/** What a face is drawn with. */
interface Drawing {
  readonly track: TrackSwapper;
  /** Of the face in the source, pixels. */
  readonly sourceSize: number;
  /** Of the source's atlas, texels. */
  readonly side: number;
  readonly isMirrored: boolean;
  readonly source: Pick<SourceFace, 'seen'>;
}

class OnePassSwap implements VideoSwap {
  readonly #parts: SwapParts;
  readonly #wishes: Wishes;
  readonly #source: Promise<KnownSource>;
  readonly #faces: FaceTracks;
  readonly #timingsMs = { look: 0, draw: 0 };
  readonly #landmarks = new Float32Array(LANDMARK_COUNT * 3);
  /** Tracks of whom is swapped, by what is known so far; null until there is somebody. */
  #tracks: FaceTrack[] | null = null;
  #revision = -1;
  /** Of the whole clip, once that is known. */
  #timeline: PersonTimeline | null = null;
  /** What was drawn before that. */
  #drawn: { readonly opacity: number; readonly place: MeshRecord | null }[] = [];
  #drawing: Drawing | null = null;
  #sourceShares: readonly number[] = [];
  #facesFound = 0;
  #counts = noCounts();

  constructor(parts: SwapParts, wishes: Wishes, source: Promise<KnownSource>, canonical: CanonicalFace) {
    this.#parts = parts;
    this.#wishes = wishes;
    this.#source = source;
    // Told by `look`.
    source.catch(() => undefined);
    this.#faces = new FaceTracks(parts.analyser, canonical);
  }

  async look(frame: VideoFrame): Promise<void> {
    await this.#source;
    const since = performance.now();
    await this.#faces.look(frame);
    this.#timingsMs.look += performance.now() - since;
  }

  mayDraw(after: number, seconds: number): boolean {
    if (after >= MOST_AHEAD) return true;
    if (this.#faces.tracks.length === 1 && after >= FIRST_AHEAD + this.#counts.total) return true;
    return after >= LEAST_AHEAD && seconds >= AHEAD_SECONDS;
  }

  async draw(frame: VideoFrame): Promise<void> {
    await breathe();
    const source = await this.#source;
    const since = performance.now();
    const counts = this.#counts;
    if (counts.total >= this.#faces.known) await this.#faces.readLeft();
    const face = this.#faceIn(counts.total);
    counts.total += 1;
    const elapsedSeconds = Math.max(0, frame.timeSeconds - counts.lastSeconds);
    counts.lastSeconds = frame.timeSeconds;
    if (face === null) {
      counts.gap += 1;
      return;
    }
    if (counts.swapped > 0) counts.longestGap = Math.max(counts.longestGap, counts.gap);
    counts.gap = 0;
    counts.swapped += 1;
    if (face.isBridged) counts.bridged += 1;
    const landmarks = readRecord(face.mesh, this.#landmarks);
    const rect = wholePixels(boxAround(landmarks), frame.width, frame.height);
    if (rect.width < 2 || rect.height < 2) return;
    for (let i = 0; i < landmarks.length; i += 3) {
      landmarks[i]! -= rect.x;
      landmarks[i + 1]! -= rect.y;
    }
    const { opacity, isFresh } = face;
    this.#drawing ??= this.#begin(source);
    const moment = { opacity, isFresh, elapsedSeconds, grainSeed: counts.total };
    await this.#drawing.track.draw(frame, rect, landmarks, moment);
    this.#timingsMs.draw += performance.now() - since;
    const isDue = counts.swapped >= counts.nextIdentityLook && !face.isBridged;
    if (!isDue || Math.max(rect.width, rect.height) < LEAST_FACE_FOR_IDENTITY_PX) return;
    counts.nextIdentityLook = 3 * counts.swapped;
    const reached = await this.#parts.analyser.embed(frame.rgb(rect), { landmarks });
    const distance = embeddingDistance(source.identity, reached);
    counts.similarities.push(Math.max(0, 1 - distance / STRANGER_DISTANCE));
  }

  finish(): boolean {
    if (this.#timeline !== null) return true;
    this.#faces.finish();
    const [primary, ...others] = findPersons(this.#faces);
    const timeline = primary && new PersonTimeline(this.#faces, primary);
    if (!timeline || timeline.swappedFrames === 0) {
      throw new TaskFailure('NO_FACE_DETECTED', `No face was found in the ${this.#wishes.targetName}.`);
    }
    this.#facesFound = 1 + others.filter((person) => person.presence > 0.02 * primary.presence).length;
    if (this.#isAsDrawn(timeline) && this.#isDrawnWell(primary.tracks)) return true;
    this.#tracks = [...primary.tracks];
    this.#timeline = timeline;
    this.#drawing?.track.close();
    this.#drawing = null;
    this.#counts = noCounts();
    return false;
  }

  async close(): Promise<void> {
    await this.#source.catch(() => undefined);
    this.#drawing?.track.close();
  }

  receipt(): SwapVideoReceipt {
    const { total, swapped, bridged, longestGap, similarities } = this.#counts;
    const looks = [...similarities].sort((a, b) => a - b);
    return {
      facesFound: this.#facesFound,
      frames: { total, swapped, bridged, passedThrough: total - swapped },
      longestGapFrames: longestGap,
      identitySimilarity: looks.length === 0 ? null : looks[looks.length >> 1]!,
      sourceShares: this.#sourceShares,
      timingsMs: this.#timingsMs,
    };
  }

  /** The face to be drawn in a frame; null for none. */
  #faceIn(frame: number): TimedFace | null {
    if (this.#timeline !== null) return this.#timeline.at(frame);
    const faces = this.#faces;
    const tracks = this.#tracksAt(frame);
    const around = tracks && new PersonTimeline(faces, { tracks }, this.#startOfTimeline(frame), faces.known);
    const face = around?.at(frame) ?? null;
    // Nobody is chosen for a find that is none.
    if (face !== null) this.#tracks = tracks;
    this.#drawn.push({ opacity: around?.opacityAt(frame) ?? 0, place: around?.placeAt(frame) ?? null });
    return face;
  }

  /** Tracks of whom is swapped, those among them that say something of this frame; null where nobody is in sight. */
  #tracksAt(frame: number): FaceTrack[] | null {
    const { tracks, times, cuts, revision } = this.#faces;
    const known = this.#tracks;
    const isNew = this.#revision !== revision;
    this.#revision = revision;
    if (known === null) {
      const lately = { times, cuts, tracks: tracks.slice(-MOST_TRACKS) };
      return findPersons(lately)[0]?.tracks.slice() ?? null;
    }
    if (!isNew) return known;
    for (const track of tracks.slice(-MOST_TRACKS)) {
      const isOver = track.firstFrame + track.length <= frame;
      if (isOver || known.includes(track)) continue;
      if (isOf(this.#faces, track, known.slice(-MOST_TRACKS))) known.push(track);
    }
    return known;
  }

  /** The frame from which a timeline must know the clip to tell of `frame`. */
  #startOfTimeline(frame: number): number {
    const { times } = this.#faces;
    let start = Math.max(0, frame - 1);
    while (start > 0 && times[frame]! - times[start]! <= 2 * BRIDGED_SECONDS) start -= 1;
    return start;
  }

  #begin({ looks }: KnownSource): Drawing {
    const { swapper } = this.#parts;
    const records = meshesOf(this.#tracks!);
    const sourceSize = facePixels(looks[0]!.face.box);
    const side = swapper.atlasSide(sourceSize, usualSize(records));
    const prepared = prepareSources(swapper, looks, side, this.#wishes.faceRestoreVisibility);
    this.#sourceShares = prepared.shares;
    const meshes = readAll(records);
    const isMirrored = swapper.isBetterMirrored(prepared.face, meshes);
    const track = swapper.follow(prepared.face, isMirrored, meshes, this.#wishes);
    return { track, sourceSize, side, isMirrored, source: { seen: prepared.face.seen } };
  }

  /** Whether the person's face was drawn where, and as far as, the whole clip says it is. */
  #isAsDrawn(timeline: PersonTimeline): boolean {
    return this.#drawn.every(({ opacity, place }, frame) => {
      const right = timeline.placeAt(frame);
      const isSamePlace = right === null || place === null ? right === place : isNear(right, place);
      return isSamePlace && Math.abs(opacity - timeline.opacityAt(frame)) <= OPACITY_TOLERANCE;
    });
  }

  /** Whether the source was prepared as the whole clip's faces want it. */
  #isDrawnWell(tracks: readonly FaceTrack[]): boolean {
    if (this.#drawing === null) return false;
    const { swapper } = this.#parts;
    const { sourceSize, side, isMirrored, source } = this.#drawing;
    const records = meshesOf(tracks);
    const size = usualSize(records);
    return (
      swapper.atlasSide(sourceSize, size / SIZE_TOLERANCE) <= side &&
      side <= swapper.atlasSide(sourceSize, size * SIZE_TOLERANCE) &&
      isMirrored === swapper.isBetterMirrored(source, readAll(records))
    );
  }
}

/** What is counted while frames are drawn. */
function noCounts() {
  return {
    total: 0,
    swapped: 0,
    bridged: 0,
    gap: 0,
    longestGap: 0,
    lastSeconds: 0,
    nextIdentityLook: FIRST_IDENTITY_LOOK,
    similarities: [] as number[],
  };
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

/** A person's meshes, at most `MOST_MESHES` of them, evenly. */
function meshesOf(tracks: readonly FaceTrack[]): MeshRecord[] {
  const frames = tracks.reduce((sum, { length }) => sum + length, 0);
  const step = Math.max(1, frames / MOST_MESHES);
  const some: MeshRecord[] = [];
  let before = 0;
  for (const track of tracks) {
    for (; some.length * step < before + track.length;)
      some.push(track.mesh(track.firstFrame + Math.floor(some.length * step) - before));
    before += track.length;
  }
  return some;
}

function readAll(records: readonly MeshRecord[]): Float32Array[] {
  return records.map((record) => readRecord(record, new Float32Array(MESH_VERTEX_COUNT * 3)));
}
