import type { RgbImage } from '@guise/kernels/image.ts';
import { ImagePyramid, releaseImage } from '@guise/kernels/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { FaceAnalyser } from './analyser.ts';
import { boxOfPoints, intersectionOverUnion } from './box.ts';
import type { Box } from './box.ts';
import type { CanonicalFace } from './canonical-face.ts';
import { MESH_VERTEX_COUNT } from './face.ts';
import type { MeshRecord } from './mesh-record.ts';
import { breathe } from './breathe.ts';
import { QuietFace } from './quiet-face.ts';
import { MESH_REGION_SCALE, regionOfMesh } from './region.ts';
import type { LumaView } from './scene-cuts.ts';
import { SceneCuts } from './scene-cuts.ts';
import type { SteadyTools } from './steady-track.ts';
import { createSteadyTools, SteadyTrack } from './steady-track.ts';
import { surfaceSamples } from './surface-samples.ts';
import type { VideoFrame } from './video-frame.ts';
import { wholePixels } from './video-frame.ts';

/** One face through the consecutive frames of one scene. */
export interface FaceTrack {
  readonly firstFrame: number;
  /** Frames, up to the last one looked at if the face is still there. */
  readonly length: number;
  /** Who it is, seen at several moments. */
  readonly embeddings: readonly Float32Array[];
  /** Face area summed over time, pixels times seconds. */
  readonly presence: number;
  /** Where the face is in a frame of the clip, nearly. */
  place(frame: number): MeshRecord;
  /** Its mesh there, as steady as what is known by now makes it: see `SteadyTrack`. */
  mesh(frame: number): MeshRecord;
}

/** What the looks at a clip's frames tell so far. */
export interface ClipFaces {
  readonly tracks: readonly FaceTrack[];
  /** Seconds of each frame. */
  readonly times: readonly number[];
  /** Frames that begin a new scene. */
  readonly cuts: ReadonlySet<number>;
}

interface LeftFrame {
  readonly frame: VideoFrame;
  readonly index: number;
}

class LiveTrack implements FaceTrack {
  readonly firstFrame: number;
  readonly embeddings: Float32Array[] = [];
  readonly steady: SteadyTrack;
  readonly quiet = new QuietFace();
  presence = 0;
  landmarks: Float32Array;
  box: Box;
  /** Motion of the box's centre in the last frame, pixels. */
  dx = 0;
  dy = 0;

  constructor(firstFrame: number, landmarks: Float32Array, tools: SteadyTools) {
    this.firstFrame = firstFrame;
    this.landmarks = landmarks;
    this.box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    this.steady = new SteadyTrack(tools);
  }

  get length(): number {
    return this.steady.length;
  }

  place(frame: number): MeshRecord {
    return this.steady.place(frame - this.firstFrame);
  }

  mesh(frame: number): MeshRecord {
    return this.steady.mesh(frame - this.firstFrame);
  }

  /** The face in the next frame. @param duration since the frame before, seconds */
  take(landmarks: Float32Array, luma: LumaView, timeSeconds: number, duration: number): void {
    const box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    this.dx = (box.left + box.right - this.box.left - this.box.right) / 2;
    this.dy = (box.top + box.bottom - this.box.top - this.box.bottom) / 2;
    this.landmarks = landmarks;
    this.box = box;
    this.steady.push(landmarks, luma, timeSeconds);
    this.presence += (box.right - box.left) * (box.bottom - box.top) * duration;
  }
}

/** Longer side of the reduced frames that are searched for faces. */
const SEARCH_SIDE = 640;
/** Beside a face of this share of the longer side, no other that matters is so small that the cheap search overlooks it. */
const CLEAR_SHARE = 0.06;
/** Faces followed at a time: the largest. */
const MOST_LIVE = 3;
const TRACKED_SCORE = 0.5;
/** How far a face may grow, shrink or move (in its sizes) from one frame to the next. */
const MOST_GROWTH = 1.5;
const MOST_MOVE = 0.6;
/** A live face is one that was found if the boxes overlap so much. */
const SAME_FACE_OVERLAP = 0.3;
/** While there are faces, the whole frame is searched so often for others. */
const SEARCH_INTERVAL_SECONDS = 1;
/** While there is none, it is searched every so many frames. */
const EMPTY_SEARCH_FRAMES = 3;
/** Every second frame of 46 a second or more need not be read, whatever a face does: films of 23 have no more of it. */
const DENSE_SECONDS = 2 / 46;
/** The landmark network sees a face in so many pixels: many times more of them need not be read. */
const NETWORK_SIDE = 192;
/** Up to so many times more, kernels read and halve them sooner than fewer are picked out one by one. */
const HALVED_FACTOR = 4;
const MOST_EMBEDDINGS = 8;
const EMBEDDING_INTERVAL_SECONDS = 1;

/** Follows every large face of a clip: a search at the start, after a cut and now and then; else from mesh to mesh. */
export class FaceTracks implements ClipFaces {
  readonly #analyser: FaceAnalyser;
  readonly #tools: SteadyTools;
  readonly #cuts = new SceneCuts();
  readonly cuts = new Set<number>();
  readonly times: number[] = [];
  readonly #tracks: LiveTrack[] = [];
  #live: LiveTrack[] = [];
  /** A frame whose faces are not read yet: the next one's may tell where they are. */
  #left: LeftFrame | null = null;
  #lastSearch = { frame: -Infinity, seconds: -Infinity };
  #revision = 0;

  constructor(analyser: FaceAnalyser, canonical: CanonicalFace) {
    this.#analyser = analyser;
    this.#tools = createSteadyTools(surfaceSamples(canonical));
  }

  get tracks(): readonly FaceTrack[] {
    return this.#tracks;
  }

  /** Changes when there is another track, or something new is known of who one is. */
  get revision(): number {
    return this.#revision;
  }

  /** Frames one after the other, each once; each is to be kept until the one after it was looked at. */
  async look(frame: VideoFrame): Promise<void> {
    const index = this.times.length;
    const { timeSeconds } = frame;
    this.times.push(timeSeconds);
    const isCut = this.#cuts.isCut(frame.luma());
    await breathe();
    if (isCut) {
      await this.readLeft();
      this.cuts.add(index);
      this.#end(this.#live);
    }
    const sinceFrames = index - this.#lastSearch.frame;
    const isDue =
      isCut ||
      (this.#live.length === 0
        ? sinceFrames >= EMPTY_SEARCH_FRAMES
        : timeSeconds - this.#lastSearch.seconds >= SEARCH_INTERVAL_SECONDS);
    if (!isDue && this.#mayLeave(index)) {
      this.#left = { frame, index };
      return;
    }
    const before = this.#live.length;
    await this.#follow(frame, index);
    if (isDue || this.#live.length < before) await this.#search(frame, index);
  }

  /** Frames whose faces are known: all that were looked at, or all but the last. */
  get known(): number {
    return this.times.length - (this.#left ? 1 : 0);
  }

  /** Makes the last frame's faces known too. */
  async readLeft(): Promise<void> {
    const left = this.#left;
    this.#left = null;
    if (left) await this.#follow(left.frame, left.index);
  }

  /** After the last frame. */
  finish(): void {
    this.#end(this.#live);
  }

  /** Whether a frame can wait for the reading of the one after it, which will tell where its faces are. */
  #mayLeave(index: number): boolean {
    if (this.#left !== null || this.#live.length === 0) return false;
    return this.#live.every((track) => track.length > 1 && this.#mayLieBetween(track, index));
  }

  /** Whether a face may be put between the frames around one, the second of which is frame `after`. */
  #mayLieBetween({ quiet }: LiveTrack, after: number): boolean {
    return quiet.isQuiet || (after >= 2 && this.times[after]! - this.times[after - 2]! <= DENSE_SECONDS);
  }

  async #follow(frame: VideoFrame, index: number): Promise<void> {
    const left = this.#left;
    this.#left = null;
    const lost = new Set<LiveTrack>();
    for (const track of this.#live) {
      const steps = left ? 2 : 1;
      const expected = moved(track.landmarks, steps * track.dx, steps * track.dy);
      const landmarks = await this.#readMesh(frame, expected);
      await breathe();
      const box = landmarks && boxOfPoints(landmarks, MESH_VERTEX_COUNT);
      const isThere = box !== null && isNext(track, box);
      if (isThere) track.quiet.read(index, frame.timeSeconds, landmarks!, sizeOf(box));
      if (left && !(await this.#takeLeft(track, left, isThere ? landmarks : null))) {
        lost.add(track);
        continue;
      }
      if (isThere) this.#take(track, frame, index, landmarks!);
      else lost.add(track);
    }
    // Two tracks that ran into each other are one face: the older one goes on.
    for (const [i, track] of this.#live.entries()) {
      const isTaken = this.#live
        .slice(0, i)
        .some(
          (other) =>
            !lost.has(other) && !lost.has(track) && intersectionOverUnion(other.box, track.box) > 0.5,
        );
      if (!isTaken) continue;
      track.steady.pop();
      lost.add(track);
    }
    this.#end([...lost]);
    await this.#identify(frame);
  }

  /**
   * The face in the frame that was left: between the one before and the one after, or, where that may not be, read after all.
   * @param after landmarks in the frame after it, null where the face is not there @returns whether it is there
   */
  async #takeLeft(track: LiveTrack, left: LeftFrame, after: Float32Array | null): Promise<boolean> {
    const { frame, index } = left;
    const from = this.times[index - 1]!;
    const share = (frame.timeSeconds - from) / (this.times[index + 1]! - from);
    const mean = after && mixed(track.landmarks, after, share);
    const landmarks =
      mean && this.#mayLieBetween(track, index + 1)
        ? mean
        : await this.#readMesh(frame, mean ?? moved(track.landmarks, track.dx, track.dy));
    if (landmarks === null || !isNext(track, boxOfPoints(landmarks, MESH_VERTEX_COUNT))) return false;
    this.#take(track, frame, index, landmarks);
    return true;
  }

  #take(track: LiveTrack, frame: VideoFrame, index: number, landmarks: Float32Array): void {
    const duration = Math.max(0, frame.timeSeconds - (this.times[index - 1] ?? frame.timeSeconds));
    track.take(landmarks, frame.luma(), frame.timeSeconds, duration);
  }

  /** Takes the looks that tell who it is: early, then now and then. */
  async #identify(frame: VideoFrame): Promise<void> {
    for (const track of this.#live) {
      const seen = track.embeddings.length;
      const age = frame.timeSeconds - this.times[track.firstFrame]!;
      if (seen >= MOST_EMBEDDINGS || age < (seen === 0 ? 0 : seen * EMBEDDING_INTERVAL_SECONDS - 0.8))
        continue;
      if (!isFrontal(track.landmarks) && age < 2) continue;
      track.embeddings.push(
        await this.#inCrop(frame, track.landmarks, (image, landmarks) =>
          this.#analyser.embed(image, { landmarks }),
        ),
      );
      this.#revision += 1;
    }
  }

  async #search(frame: VideoFrame, index: number): Promise<void> {
    this.#lastSearch = { frame: index, seconds: frame.timeSeconds };
    const { image, factor } = frame.reducedRgb(SEARCH_SIDE);
    const known = this.#live.map(({ box: { left, top, right, bottom } }) => ({
      left: left / factor,
      top: top / factor,
      right: right / factor,
      bottom: bottom / factor,
    }));
    const clear = await this.#analyser.detectBeside(image, known);
    const least = CLEAR_SHARE * Math.max(image.width, image.height);
    const isEnough = known.length > 0 || clear.some(({ box }) => box.width >= least);
    const faces = isEnough ? clear : await this.#analyser.detect(image);
    releaseImage(image);
    const bySize = faces.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
    for (const face of bySize.slice(0, MOST_LIVE)) {
      const rough = face.landmarks.map((value) => value * factor);
      const isKnown = (box: Box): boolean =>
        this.#live.some((track) => intersectionOverUnion(track.box, box) > SAME_FACE_OVERLAP);
      if (isKnown(boxOfPoints(rough, MESH_VERTEX_COUNT))) continue;
      const landmarks = await this.#readMesh(frame, rough);
      if (landmarks === null || isKnown(boxOfPoints(landmarks, MESH_VERTEX_COUNT))) continue;
      const track = new LiveTrack(index, landmarks, this.#tools);
      track.take(landmarks, frame.luma(), frame.timeSeconds, 0);
      this.#live.push(track);
      this.#tracks.push(track);
      this.#revision += 1;
    }
    if (this.#live.length > MOST_LIVE) {
      const ranked = [...this.#live].sort((a, b) => sizeOf(b.box) - sizeOf(a.box));
      this.#end(ranked.slice(MOST_LIVE));
    }
    await this.#identify(frame);
  }

  /** The mesh near `expected` in the frame's pixels, or null. */
  async #readMesh(frame: VideoFrame, expected: Float32Array): Promise<Float32Array | null> {
    return this.#inCrop(frame, expected, async (image, near, crop) => {
      if (image.width < 8 || image.height < 8) return null;
      const region = regionOfMesh(near, MESH_REGION_SCALE);
      const { landmarks, score } = await this.#analyser.readMesh(new ImagePyramid(image, crop.space), region);
      return score < TRACKED_SCORE ? null : moved(scaled(landmarks, crop.factor), crop.x, crop.y);
    });
  }

  /**
   * Gives `use` the part of the frame that a network sees around the landmarks, and the landmarks in its pixels. The picture's
   * memory, and that of all from `space`, is handed on when `use` is done: new buffers for every frame would keep V8 collecting.
   */
  async #inCrop<T>(
    frame: VideoFrame,
    landmarks: Float32Array,
    use: (
      image: RgbImage,
      landmarks: Float32Array,
      crop: { readonly x: number; readonly y: number; readonly factor: number; readonly space: Workspace },
    ) => Promise<T>,
  ): Promise<T> {
    const { x, y, size, angle } = regionOfMesh(landmarks, MESH_REGION_SCALE);
    const half = (size * (Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle)))) / 2 + 2;
    const rect = wholePixels(
      { x: x - half, y: y - half, width: 2 * half, height: 2 * half },
      frame.width,
      frame.height,
    );
    const wanted = Math.floor(size / NETWORK_SIDE);
    const factor = wanted < HALVED_FACTOR ? 1 : wanted;
    const space = new Workspace();
    try {
      const image = frame.reducedRegion(rect, factor, space);
      const near = scaled(moved(landmarks, -rect.x, -rect.y), 1 / factor);
      return await use(image, near, { x: rect.x, y: rect.y, factor, space });
    } finally {
      space.release();
    }
  }

  #end(tracks: readonly LiveTrack[]): void {
    for (const { steady } of tracks) steady.end();
    this.#live = this.#live.filter((track) => !tracks.includes(track));
  }
}

function scaled(landmarks: Float32Array, factor: number): Float32Array {
  return factor === 1 ? landmarks : landmarks.map((value) => value * factor);
}

/** `share` of the way from one mesh to another. */
function mixed(from: Float32Array, to: Float32Array, share: number): Float32Array {
  const out = from.slice();
  for (let i = 0; i < out.length; i++) out[i]! += share * (to[i]! - from[i]!);
  return out;
}

function moved(landmarks: Float32Array, dx: number, dy: number): Float32Array {
  const out = landmarks.slice();
  for (let i = 0; i < out.length; i += 3) {
    out[i]! += dx;
    out[i + 1]! += dy;
  }
  return out;
}

function sizeOf(box: Box): number {
  return Math.max(box.right - box.left, box.bottom - box.top);
}

/** Whether the box can be the track's a frame later: a mesh that jumps or bursts has lost its face. */
function isNext(track: LiveTrack, box: Box): boolean {
  const before = sizeOf(track.box);
  const growth = sizeOf(box) / before;
  const move = Math.hypot(
    (box.left + box.right - track.box.left - track.box.right) / 2,
    (box.top + box.bottom - track.box.top - track.box.bottom) / 2,
  );
  return growth < MOST_GROWTH && growth > 1 / MOST_GROWTH && move < MOST_MOVE * before;
}

/** Nose tip, and the mesh's outermost vertices beside the ears. */
const NOSE = 1;
const RIGHT_SIDE = 234;
const LEFT_SIDE = 454;

/** Whether the nose lies well inside the face's width: from the side a face is hard to tell from another. */
function isFrontal(landmarks: Float32Array): boolean {
  const ax = landmarks[3 * RIGHT_SIDE]!;
  const ay = landmarks[3 * RIGHT_SIDE + 1]!;
  const ux = landmarks[3 * LEFT_SIDE]! - ax;
  const uy = landmarks[3 * LEFT_SIDE + 1]! - ay;
  const along =
    ((landmarks[3 * NOSE]! - ax) * ux + (landmarks[3 * NOSE + 1]! - ay) * uy) / (ux * ux + uy * uy + 1e-6);
  return along > 0.22 && along < 0.78;
}
