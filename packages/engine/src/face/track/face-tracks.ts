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

/** A frame whose faces are not read yet: the next one's may tell where they are. */
interface LeftFrame {
  readonly frame: VideoFrame;
  readonly index: number;
}

/** Faces that are followed at a time at most: the largest. */
const MAX_LIVE_FACES = 3;
/** Faces that are followed at a time at most where several people matter. */
const MAX_APART_FACES = 12;
/** Time for which faces are searched for more often after one was lost, where several matter. */
const OFTEN_AFTER_LOSS_SECONDS = 3;
/** Time between two searches then: shorter than a gap that is bridged. */
const OFTEN_SEARCH_SECONDS = 0.2;
/** Time after which a face is embedded from the side, where several people matter. */
const APART_PATIENCE_SECONDS = 0.2;
/** Distance of two faces, in sizes of the larger, up to which they meet. */
const MEETING_SIZES = 0.9;
/** Distance of embeddings from which a track that met another shows somebody else. */
const OTHER_PERSON_DISTANCE = 0.55;
/** Distance from which a face that is turned away, which tells less, shows somebody else. */
const OTHER_TURNED_DISTANCE = 0.65;
/** Distance up to which a face is certainly the track's. */
const SURE_DISTANCE = 0.32;
/** Distance from which a face that changed at once is another's. */
const CHANGED_DISTANCE = 0.42;
/** Difference of distances by which another's face is certainly more alike. */
const OTHER_MARGIN = 0.1;
/** Change of a face's look from one frame to the next from which it may be another's. */
const SUSPICIOUS_LOOK_STEP = 0.45;
/** Intersection over union above which a found box is that of a live face. */
const LIVE_FACE_OVERLAP = 0.3;
/** Intersection over union above which two tracks have run into each other. */
const MERGED_TRACKS_OVERLAP = 0.5;
/** Time between two searches of the whole frame for other faces while there are some. */
const SEARCH_INTERVAL_SECONDS = 1;
/** Frames between two searches while there is no face. */
const EMPTY_SEARCH_FRAMES = 3;
/**
 * Time between frames up to which every second one need not be read: at 46 frames a second, 23 are
 * enough.
 */
const DENSE_FRAME_SECONDS = 2 / 46;

/**
 * Follows every large face of a clip: a search at the start, after a cut and now and then; else
 * from mesh to mesh.
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
  /** Tracks that have met another since it was last made sure whose face they follow. */
  readonly #met = new Set<LiveTrack>();
  /** Tracks whose face changed at once. */
  readonly #doubtful = new Set<LiveTrack>();
  /** How each face looked in the frame before; where several people matter. */
  readonly #looks = new WeakMap<LiveTrack, FaceLook>();
  #lastLossSeconds = -Infinity;
  #lastSearch = { frame: -Infinity, seconds: -Infinity };
  #revision = 0;

  /** @param isApart whether several people matter: many are followed, and never mixed up */
  constructor(analyser: FaceAnalyser, canonical: CanonicalFace, isApart = false) {
    this.#isApart = isApart;
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

  /**
   * Frames one after the other, each once; each is to be kept until the one after it was looked at.
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

  /** Ends all tracks, after the last frame. */
  finish(): void {
    this.#end(this.#live);
  }

  /**
   * Whether a frame can wait for the reading of the one after it, which will tell where its faces
   * are.
   */
  #mayLeave(index: number): boolean {
    if (this.#isApart || this.#left !== null || this.#live.length === 0) return false;
    return this.#live.every((track) => track.length > 1 && this.#mayLieBetween(track, index));
  }

  /**
   * Whether a face may be put between the frames around one, the second of which is frame `after`.
   */
  #mayLieBetween({ quiet }: LiveTrack, after: number): boolean {
    return (
      quiet.isQuiet || (after >= 2 && this.times[after]! - this.times[after - 2]! <= DENSE_FRAME_SECONDS)
    );
  }

  /** Finds the faces that are followed in a frame, and in the one before it where that was left. */
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

  /** Two tracks that meet are one face: the older one continues. */
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

  /** Whose face it is that two tracks ran into, identity must say: the older one ends as well. */
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
   * Ends tracks that go on with another person's face, since they met another track or since a cut
   * that changes little but the face.
   */
  async #verify(frame: VideoFrame, index: number): Promise<void> {
    const luma = frame.luma();
    // Ending a track makes another list.
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
   * Whether a face is not the one that its track has shown: too unlike it, or more like another's.
   * @param isDoubtful whether it changed at once, so that less proof is needed
   */
  #isSomebodyElse(track: LiveTrack, now: Float32Array, isDoubtful: boolean): boolean {
    const own = nearestOf(track, now);
    if (own >= (track.isFrontal ? OTHER_PERSON_DISTANCE : OTHER_TURNED_DISTANCE)) return true;
    if (own < SURE_DISTANCE) return false;
    const others = this.#tracks.filter((other) => other !== track).map((other) => nearestOf(other, now));
    return (isDoubtful && own >= CHANGED_DISTANCE) || Math.min(...others) < own - OTHER_MARGIN;
  }

  /**
   * The face in the frame that was left: between the one before and the one after, or, where that
   * may not be, read after all.
   * @param after landmarks in the frame after it, null where the face is not there
   * @returns whether it is there
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
      // Of a face that turns away again, a look from the side is all that there will be.
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

/** Returns the distance of an embedding to the nearest of a track. */
function nearestOf({ embeddings }: LiveTrack, now: Float32Array): number {
  return Math.min(...embeddings.map((known) => embeddingDistance(known, now)));
}
