import { embeddingDistance } from '../detect/embedding-distance.ts';
import type { FaceAnalyser } from '../detect/analyser.ts';
import { boxOfPoints, intersectionOverUnion } from '../geometry/box.ts';
import { breathe } from './breathe.ts';
import type { CanonicalFace } from '../geometry/canonical-face.ts';
import { MESH_VERTEX_COUNT } from '../geometry/face.ts';
import { embedFace, readMeshNear } from './face-crop.ts';
import { type FaceLook, lookOfFace, lookStep } from './face-look.ts';
import type { ClipFaces, FaceTrack } from './face-track.ts';
import { interpolated } from '../geometry/landmark-transforms.ts';
import { LiveTrack, longerSide } from './live-track.ts';
import { SceneCuts } from '../frame/scene-cuts.ts';
import { searchFaces } from './search-faces.ts';
import type { SteadyTools } from '../steady/steady-track.ts';
import { createSteadyTools } from '../steady/steady-track.ts';
import { surfaceSamples } from '../steady/surface-samples.ts';
import type { VideoFrame } from '../frame/video-frame.ts';

/** A frame whose faces are not read yet, because the next frame's faces may tell where they are. */
interface LeftFrame {
  readonly frame: VideoFrame;
  readonly index: number;
}

/** Largest number of faces, the largest ones, that are followed at the same time. */
const MAX_LIVE_FACES = 3;
/** Largest number of faces that are followed at the same time if several people matter. */
const MAX_APART_FACES = 12;
/**
 * Time for which faces are searched for more often after one was lost, if several people matter.
 */
const OFTEN_AFTER_LOSS_SECONDS = 3;
/** Time between two searches during that time, which is shorter than a gap that is bridged. */
const OFTEN_SEARCH_SECONDS = 0.2;
/** Time after which a face seen from the side is embedded, if several people matter. */
const APART_PATIENCE_SECONDS = 0.2;
/** Distance of two faces, in sizes of the larger one, up to which they meet. */
const MEETING_SIZES = 0.9;
/** Distance of embeddings from which a track that met another shows another person. */
const OTHER_PERSON_DISTANCE = 0.55;
/** Distance from which a face that is turned away shows another person. Such a face tells less. */
const OTHER_TURNED_DISTANCE = 0.65;
/** Distance up to which a face certainly belongs to its track. */
const SURE_DISTANCE = 0.32;
/** Distance from which a face that changed suddenly is another person's. */
const CHANGED_DISTANCE = 0.42;
/** Difference of distances from which another track's face is certainly more alike. */
const OTHER_MARGIN = 0.1;
/** Change of a face's look between two frames from which it may be another person's. */
const SUSPICIOUS_LOOK_STEP = 0.45;
/** Intersection over union above which a found box is that of a followed face. */
const LIVE_FACE_OVERLAP = 0.3;
/** Intersection over union above which two tracks follow the same face. */
const MERGED_TRACKS_OVERLAP = 0.5;
/** Time between two searches of the whole frame for other faces while some are followed. */
const SEARCH_INTERVAL_SECONDS = 1;
/** Number of frames between two searches while there is no face. */
const EMPTY_SEARCH_FRAMES = 3;
/**
 * Time between frames up to which every second frame may stay unread. Of 46 frames a second, 23 are
 * enough.
 */
const DENSE_FRAME_SECONDS = 2 / 46;

/**
 * Follows every large face of a clip: searches at the start, after a cut and from time to time, and
 * otherwise goes from mesh to mesh.
 */
export class FaceTracks implements ClipFaces {
  readonly #isApart: boolean;
  readonly #analyser: FaceAnalyser;
  readonly #tools: SteadyTools;
  readonly #cuts = new SceneCuts();
  readonly cuts = new Set<number>();
  readonly times: number[] = [];
  readonly #tracks: LiveTrack[] = [];
  #live: LiveTrack[] = [];
  #left: LeftFrame | null = null;
  /** Tracks that have met another track since their identity was last checked. */
  readonly #met = new Set<LiveTrack>();
  /** Tracks whose face changed suddenly. */
  readonly #doubtful = new Set<LiveTrack>();
  /** Look of each face in the frame before, if several people matter. */
  readonly #looks = new WeakMap<LiveTrack, FaceLook>();
  #lastLossSeconds = -Infinity;
  #lastSearch = { frame: -Infinity, seconds: -Infinity };
  #revision = 0;

  /**
   * @param isApart whether several people matter: many are followed, and they are never confused
   */
  constructor(analyser: FaceAnalyser, canonical: CanonicalFace, isApart = false) {
    this.#isApart = isApart;
    this.#analyser = analyser;
    this.#tools = createSteadyTools(surfaceSamples(canonical));
  }

  get tracks(): readonly FaceTrack[] {
    return this.#tracks;
  }

  /** Number that changes when a track is added or the identity of a track becomes better known. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Reads the next frame. Pass each frame once, in order, and keep it until the frame after it has
   * been read.
   */
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
        : timeSeconds - this.#lastSearch.seconds >= this.#searchInterval(timeSeconds));
    if (!isDue && this.#mayLeave(index)) {
      this.#left = { frame, index };
      return;
    }
    const before = this.#live.length;
    await this.#follow(frame, index);
    if (isDue || this.#live.length < before) await this.#search(frame, index);
  }

  /** Number of frames whose faces are known: all that were read, or all except the last. */
  get known(): number {
    return this.times.length - (this.#left ? 1 : 0);
  }

  /** Reads the faces of the last frame, if that is still open. */
  async readLeft(): Promise<void> {
    const left = this.#left;
    this.#left = null;
    if (left) await this.#follow(left.frame, left.index);
  }

  /** Ends all tracks, after the last frame. */
  finish(): void {
    this.#end(this.#live);
  }

  /**
   * Returns whether a frame can wait until the next frame is read, which will tell where its faces
   * are.
   */
  #mayLeave(index: number): boolean {
    if (this.#isApart || this.#left !== null || this.#live.length === 0) return false;
    return this.#live.every((track) => track.length > 1 && this.#mayLieBetween(track, index));
  }

  /**
   * Returns whether a face may be interpolated between the frames around one, the second of which
   * is frame `after`.
   */
  #mayLieBetween({ quiet }: LiveTrack, after: number): boolean {
    return (
      quiet.isQuiet || (after >= 2 && this.times[after]! - this.times[after - 2]! <= DENSE_FRAME_SECONDS)
    );
  }

  /** Finds the followed faces in a frame, and in the frame before it if that one waited. */
  async #follow(frame: VideoFrame, index: number): Promise<void> {
    const left = this.#left;
    this.#left = null;
    const lost = new Set<LiveTrack>();
    for (const track of this.#live) {
      const landmarks = await readMeshNear(this.#analyser, frame, track.expected(left ? 2 : 1));
      await breathe();
      const box = landmarks && boxOfPoints(landmarks, MESH_VERTEX_COUNT);
      const isThere = box !== null && track.canReach(box);
      if (isThere) track.quiet.read(index, frame.timeSeconds, landmarks!, longerSide(box));
      if (left && !(await this.#takeLeft(track, left, isThere ? landmarks : null))) {
        lost.add(track);
        continue;
      }
      if (isThere) this.#take(track, frame, index, landmarks!);
      else lost.add(track);
    }
    this.#loseDoubles(lost);
    if (lost.size > 0) this.#lastLossSeconds = frame.timeSeconds;
    this.#end([...lost]);
    if (this.#isApart) await this.#verify(frame, index);
    await this.#identify(frame);
  }

  /** Ends tracks that follow the face of an older track. The older track continues. */
  #loseDoubles(lost: Set<LiveTrack>): void {
    for (const [i, track] of this.#live.entries()) {
      if (lost.has(track)) continue;
      const isTaken = this.#live
        .slice(0, i)
        .some(
          (older) => !lost.has(older) && intersectionOverUnion(older.box, track.box) > MERGED_TRACKS_OVERLAP,
        );
      if (!isTaken) continue;
      track.steady.pop();
      lost.add(track);
      if (this.#isApart) this.#loseOlder(track, lost);
    }
  }

  /**
   * Ends the older of two tracks that follow the same face as well, because only identity can tell
   * whose face it is.
   */
  #loseOlder(track: LiveTrack, lost: Set<LiveTrack>): void {
    for (const older of this.#live) {
      if (older === track) return;
      if (lost.has(older) || intersectionOverUnion(older.box, track.box) <= MERGED_TRACKS_OVERLAP) continue;
      older.steady.pop();
      lost.add(older);
    }
  }

  #searchInterval(timeSeconds: number): number {
    const isOften = this.#isApart && timeSeconds - this.#lastLossSeconds < OFTEN_AFTER_LOSS_SECONDS;
    return isOften ? OFTEN_SEARCH_SECONDS : SEARCH_INTERVAL_SECONDS;
  }

  /**
   * Ends tracks that continue with another person's face, after they met another track, or after a
   * cut that changes little except the face.
   */
  async #verify(frame: VideoFrame, index: number): Promise<void> {
    const luma = frame.luma();
    // Ending a track makes a new list, so this loop can continue with the old one.
    for (const track of this.#live) {
      const look = lookOfFace(luma, track.box);
      const before = this.#looks.get(track);
      this.#looks.set(track, look);
      if (before !== undefined && lookStep(before, look) > SUSPICIOUS_LOOK_STEP) this.#doubtful.add(track);
      const isMeeting = this.#live.some((other) => other !== track && areClose(track, other));
      const isDoubtful = this.#doubtful.has(track);
      if (isMeeting) this.#met.add(track);
      if (!isDoubtful && (isMeeting || !this.#met.has(track) || !track.isFrontal)) continue;
      this.#doubtful.delete(track);
      if (!isMeeting) this.#met.delete(track);
      if (track.length < 2 || track.embeddings.length === 0) continue;
      const now = await embedFace(this.#analyser, frame, track.landmarks);
      if (!this.#isSomebodyElse(track, now, isDoubtful)) continue;
      const { landmarks } = track;
      track.steady.pop();
      this.#end([track]);
      this.#lastLossSeconds = frame.timeSeconds;
      this.#begin(landmarks, frame, index);
      const begun = this.#live.at(-1)!;
      begun.embeddings.push(now);
      this.#looks.set(begun, look);
    }
  }

  /**
   * Returns whether a face is not the one of its track: too unlike it, or more like that of another
   * track.
   * @param isDoubtful whether the face changed suddenly, so that less proof is needed
   */
  #isSomebodyElse(track: LiveTrack, now: Float32Array, isDoubtful: boolean): boolean {
    const own = nearestOf(track, now);
    if (own >= (track.isFrontal ? OTHER_PERSON_DISTANCE : OTHER_TURNED_DISTANCE)) return true;
    if (own < SURE_DISTANCE) return false;
    const others = this.#tracks.filter((other) => other !== track).map((other) => nearestOf(other, now));
    return (isDoubtful && own >= CHANGED_DISTANCE) || Math.min(...others) < own - OTHER_MARGIN;
  }

  /**
   * Finds the face in the frame that waited: interpolated between the frames around it, or read if
   * interpolation is not allowed.
   * @param after landmarks in the frame after it, null if the face is not there
   * @returns whether the face is there
   */
  async #takeLeft(track: LiveTrack, left: LeftFrame, after: Float32Array | null): Promise<boolean> {
    const { frame, index } = left;
    const from = this.times[index - 1]!;
    const share = (frame.timeSeconds - from) / (this.times[index + 1]! - from);
    const mean = after && interpolated(track.landmarks, after, share);
    const landmarks =
      mean && this.#mayLieBetween(track, index + 1)
        ? mean
        : await readMeshNear(this.#analyser, frame, mean ?? track.expected(1));
    if (landmarks === null || !track.canReach(boxOfPoints(landmarks, MESH_VERTEX_COUNT))) return false;
    this.#take(track, frame, index, landmarks);
    return true;
  }

  #take(track: LiveTrack, frame: VideoFrame, index: number, landmarks: Float32Array): void {
    const duration = Math.max(0, frame.timeSeconds - (this.times[index - 1] ?? frame.timeSeconds));
    track.take(landmarks, frame.luma(), frame.timeSeconds, duration);
  }

  async #identify(frame: VideoFrame): Promise<void> {
    for (const track of this.#live) {
      const ageSeconds = frame.timeSeconds - this.times[track.firstFrame]!;
      // If the face turns away again, a look from the side is all that there will be.
      const isFirst = this.#isApart && track.embeddings.length === 0;
      if (!track.isEmbeddingDue(ageSeconds, isFirst ? APART_PATIENCE_SECONDS : undefined)) continue;
      track.embeddings.push(await embedFace(this.#analyser, frame, track.landmarks));
      this.#revision += 1;
    }
  }

  async #search(frame: VideoFrame, index: number): Promise<void> {
    this.#lastSearch = { frame: index, seconds: frame.timeSeconds };
    const boxes = this.#live.map(({ box }) => box);
    const most = this.#isApart ? MAX_APART_FACES : MAX_LIVE_FACES;
    for (const rough of await searchFaces(this.#analyser, frame, boxes, most)) {
      if (this.#isFollowed(rough)) continue;
      const landmarks = await readMeshNear(this.#analyser, frame, rough);
      if (landmarks !== null && !this.#isFollowed(landmarks)) this.#begin(landmarks, frame, index);
    }
    if (this.#live.length > most) {
      const ranked = [...this.#live].sort((a, b) => longerSide(b.box) - longerSide(a.box));
      this.#end(ranked.slice(most));
    }
    await this.#identify(frame);
  }

  #isFollowed(landmarks: Float32Array): boolean {
    const box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    return this.#live.some((track) => intersectionOverUnion(track.box, box) > LIVE_FACE_OVERLAP);
  }

  #begin(landmarks: Float32Array, frame: VideoFrame, index: number): void {
    const track = new LiveTrack(index, landmarks, this.#tools);
    track.take(landmarks, frame.luma(), frame.timeSeconds, 0);
    this.#live.push(track);
    this.#tracks.push(track);
    this.#revision += 1;
  }

  #end(tracks: readonly LiveTrack[]): void {
    for (const { steady } of tracks) steady.end();
    this.#live = this.#live.filter((track) => !tracks.includes(track));
  }
}

function areClose(a: LiveTrack, b: LiveTrack): boolean {
  const x = a.box.left + a.box.right - b.box.left - b.box.right;
  const y = a.box.top + a.box.bottom - b.box.top - b.box.bottom;
  return Math.hypot(x, y) / 2 < MEETING_SIZES * Math.max(longerSide(a.box), longerSide(b.box));
}

/** Returns the distance of an embedding to the nearest embedding of a track. */
function nearestOf({ embeddings }: LiveTrack, now: Float32Array): number {
  return Math.min(...embeddings.map((known) => embeddingDistance(known, now)));
}
