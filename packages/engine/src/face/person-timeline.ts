import type { ClipFaces } from './face-tracks.ts';
import { LANDMARK_COUNT } from './face.ts';
import type { MeshRecord } from './mesh-record.ts';
import { between, readRecord } from './mesh-record.ts';
import type { Person } from './persons.ts';

/** The face of one person in one frame. */
export interface TimedFace {
  /** 478 x (x, y, z), pixels of the frame that was asked about; overwritten by the next call. */
  readonly landmarks: Float32Array;
  /** 1, less where the person's face comes, goes or turns away without a cut. */
  readonly opacity: number;
  /** Not seen in this frame itself: put between the frames around. */
  readonly isBridged: boolean;
  /** Nothing of the frame before carries over: another scene, or another appearance. */
  readonly isFresh: boolean;
}

/** A face that was away for no longer is assumed to have been there. */
const BRIDGED_SECONDS = 0.5;
/** Appearances that are shorter and stand alone are taken for false finds. */
const LEAST_SECONDS = 0.15;
const FADE_SECONDS = 0.12;
/** Two clips of one file can be read with time stamps rounded differently. */
const SAME_TIME_SECONDS = 0.002;

/** Where a person's face is in every frame of a clip, with short gaps closed. */
export class PersonTimeline {
  readonly #clip: ClipFaces;
  readonly #meshes: (MeshRecord | null)[];
  readonly #bridged = new Set<number>();
  /** Number of the unbroken appearance that a frame belongs to, -1 for none. */
  readonly #run: Int32Array;
  readonly #opacity: Float32Array;
  readonly #landmarks = new Float32Array(LANDMARK_COUNT * 3);
  #lastRun = -1;

  constructor(clip: ClipFaces, person: Person) {
    this.#clip = clip;
    const count = clip.times.length;
    this.#meshes = Array.from({ length: count }, () => null);
    for (const track of person.tracks) {
      for (const [i, mesh] of track.meshes.entries()) this.#meshes[track.firstFrame + i] ??= mesh;
    }
    this.#run = new Int32Array(count).fill(-1);
    this.#opacity = new Float32Array(count);
    this.#bridge();
    this.#findRuns();
    this.#fade();
  }

  get swappedFrames(): number {
    return this.#run.reduce((sum, run) => sum + Number(run >= 0), 0);
  }

  /** Longest run of frames without the face between two frames with it. */
  get longestGapFrames(): number {
    let longest = 0;
    let last = -1;
    for (let frame = 0; frame < this.#run.length; frame++) {
      if (this.#run[frame]! < 0) continue;
      if (last >= 0) longest = Math.max(longest, frame - last - 1);
      last = frame;
    }
    return longest;
  }

  /** The meshes of the frames where the face was seen. */
  get meshes(): readonly MeshRecord[] {
    return this.#meshes.filter(
      (mesh, frame): mesh is MeshRecord => mesh !== null && !this.#bridged.has(frame),
    );
  }

  /** The face at a moment of the clip, null where it is not there. `width` is the frame's: a reduced clip has smaller faces. */
  at(timeSeconds: number, width: number): TimedFace | null {
    const frame = this.#frameAt(timeSeconds);
    const run = this.#run[frame] ?? -1;
    const isFresh = run !== this.#lastRun;
    this.#lastRun = run;
    if (run < 0) return null;
    readRecord(this.#meshes[frame]!, this.#landmarks);
    const scale = width / this.#clip.width;
    if (scale !== 1) for (let i = 0; i < this.#landmarks.length; i++) this.#landmarks[i]! *= scale;
    return {
      landmarks: this.#landmarks,
      opacity: this.#opacity[frame]!,
      isBridged: this.#bridged.has(frame),
      isFresh,
    };
  }

  /** The last frame that is not later. */
  #frameAt(timeSeconds: number): number {
    const { times } = this.#clip;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= timeSeconds + SAME_TIME_SECONDS) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #bridge(): void {
    const { times, cuts } = this.#clip;
    let last = -1;
    for (let frame = 0; frame < times.length; frame++) {
      if (cuts.has(frame)) last = -1;
      const mesh = this.#meshes[frame];
      if (!mesh) continue;
      const from = last < 0 ? null : this.#meshes[last]!;
      if (
        from !== null &&
        frame - last > 1 &&
        times[frame]! - times[last]! <= BRIDGED_SECONDS &&
        isNear(from, mesh)
      ) {
        for (let gap = last + 1; gap < frame; gap++) {
          const share = (times[gap]! - times[last]!) / (times[frame]! - times[last]!);
          this.#meshes[gap] = between(from, mesh, share);
          this.#bridged.add(gap);
        }
      }
      last = frame;
    }
  }

  #findRuns(): void {
    const { times, cuts } = this.#clip;
    let run = 0;
    for (let start = 0; start < times.length;) {
      if (this.#meshes[start] === null) {
        start += 1;
        continue;
      }
      let end = start + 1;
      while (end < times.length && this.#meshes[end] !== null && !cuts.has(end) && this.#continues(end))
        end += 1;
      const seconds = (times[end] ?? times[end - 1]!) - times[start]!;
      const fillsScene = this.#isEdge(start) && (end === times.length || cuts.has(end));
      if (seconds >= LEAST_SECONDS || fillsScene) this.#run.fill(run++, start, end);
      start = end;
    }
  }

  /** Two tracks can meet at neighbouring frames in different places. */
  #continues(frame: number): boolean {
    return isNear(this.#meshes[frame - 1]!, this.#meshes[frame]!);
  }

  #isEdge(frame: number): boolean {
    return frame === 0 || this.#clip.cuts.has(frame);
  }

  #fade(): void {
    const { times } = this.#clip;
    const count = times.length;
    this.#opacity.fill(1);
    for (let start = 0; start < count; start++) {
      const run = this.#run[start]!;
      if (run < 0 || (start > 0 && this.#run[start - 1] === run)) continue;
      let end = start + 1;
      while (end < count && this.#run[end] === run) end += 1;
      const fadesIn = !this.#isEdge(start);
      const fadesOut = end < count && !this.#clip.cuts.has(end);
      const step = (times[end - 1]! - times[start]!) / Math.max(1, end - 1 - start) || FADE_SECONDS;
      for (let frame = start; frame < end; frame++) {
        const sinceStart = fadesIn ? (times[frame]! - times[start]! + step) / (FADE_SECONDS + step) : 1;
        const untilEnd = fadesOut ? (times[end - 1]! - times[frame]! + step) / (FADE_SECONDS + step) : 1;
        this.#opacity[frame] = Math.min(1, sinceStart, untilEnd);
      }
    }
  }
}

/** Whether a face can have come from one place to the other unseen. */
function isNear(a: MeshRecord, b: MeshRecord): boolean {
  const size = Math.max(a.size, b.size);
  return Math.hypot(a.x - b.x, a.y - b.y) < 0.8 * size && Math.min(a.size, b.size) > 0.6 * size;
}
