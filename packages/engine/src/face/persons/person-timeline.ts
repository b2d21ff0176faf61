import type { ClipFaces, FaceTrack } from '../track/face-track.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import { between } from '../geometry/mesh-record.ts';
import type { Person } from './persons.ts';

/** The face of one person in one frame. */
export interface TimedFace {
  readonly mesh: MeshRecord;
  /**
   * Opacity, 0..1. It is below 1 only while the face appears, disappears or turns away without a
   * cut.
   */
  readonly opacity: number;
  /** Whether the face was not seen in this frame, but interpolated between the frames around. */
  readonly isBridged: boolean;
  /**
   * Whether to ignore the previous frame, because another scene or another appearance begins.
   */
  readonly isFresh: boolean;
}

/** Longest absence during which a face is assumed to be present. */
export const BRIDGED_SECONDS = 0.5;
/** Length below which a single appearance counts as a false find. */
const MIN_APPEARANCE_SECONDS = 0.15;
/** Time over which a face fades in and out. */
const FADE_SECONDS = 0.12;

/** The two frames around a gap. */
interface Gap {
  readonly last: number;
  readonly next: number;
}

/**
 * Finds where a person's face is in the frames of a clip, with short gaps closed. The answer for a
 * frame is final when the frames up to `BRIDGED_SECONDS` after it are known.
 */
export class PersonTimeline {
  readonly #clip: ClipFaces;
  /** Number of the first frame, with which the arrays begin. */
  readonly #from: number;
  readonly #tracks: (FaceTrack | null)[];
  readonly #gaps: (Gap | null)[];
  /** Number of the unbroken appearance to which a frame belongs, or -1 for none. */
  readonly #run: Int32Array;
  readonly #opacity: Float32Array;

  /**
   * @param from first frame; in earlier frames the face counts as absent
   * @param to frame after the last one
   */
  constructor(clip: ClipFaces, person: Pick<Person, 'tracks'>, from = 0, to = clip.times.length) {
    this.#clip = clip;
    this.#from = from;
    const count = to - from;
    this.#tracks = Array.from({ length: count }, () => null);
    this.#gaps = Array.from({ length: count }, () => null);
    for (const track of person.tracks) {
      const end = Math.min(to, track.firstFrame + track.length);
      for (let frame = Math.max(from, track.firstFrame); frame < end; frame++)
        this.#tracks[frame - from] ??= track;
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

  /** Returns the face in a frame, or null if the face is absent. */
  at(frame: number): TimedFace | null {
    const i = frame - this.#from;
    const run = this.#run[i] ?? -1;
    if (run < 0) return null;
    return {
      mesh: this.#mesh(frame),
      opacity: this.#opacity[i]!,
      isBridged: this.#tracks[i] === null,
      isFresh: this.#run[i - 1] !== run,
    };
  }

  /** Returns whether the face is in a frame, seen or bridged. */
  isThere(frame: number): boolean {
    return (this.#run[frame - this.#from] ?? -1) >= 0;
  }

  /** Returns whether the face is in a frame in which it was not seen. */
  isBridged(frame: number): boolean {
    return this.isThere(frame) && this.#tracks[frame - this.#from] === null;
  }

  /** Returns whether the face in a frame continues that of the frame before. */
  continues(frame: number): boolean {
    const i = frame - this.#from;
    return this.isThere(frame) && this.#run[i - 1] === this.#run[i];
  }

  /** Returns the opacity of the face in a frame, 0..1. */
  opacityAt(frame: number): number {
    const i = frame - this.#from;
    return (this.#run[i] ?? -1) < 0 ? 0 : this.#opacity[i]!;
  }

  /** Returns roughly where the face is in a frame; null if it was not seen. */
  placeAt(frame: number): MeshRecord | null {
    return this.#tracks[frame - this.#from]?.place(frame) ?? null;
  }

  #mesh(frame: number): MeshRecord {
    const i = frame - this.#from;
    const track = this.#tracks[i];
    if (track) return track.mesh(frame);
    const { last, next } = this.#gaps[i]!;
    const { times } = this.#clip;
    const share = (times[frame]! - times[last]!) / (times[next]! - times[last]!);
    return between(
      this.#tracks[last - this.#from]!.mesh(last),
      this.#tracks[next - this.#from]!.mesh(next),
      share,
    );
  }

  /** Returns whether the face in a frame is known: seen, or bridged. */
  #isKnown(i: number): boolean {
    return this.#tracks[i] !== null || this.#gaps[i] !== null;
  }

  #bridge(): void {
    const { times, cuts } = this.#clip;
    const from = this.#from;
    let last = -1;
    for (let i = 0; i < this.#tracks.length; i++) {
      if (cuts.has(from + i)) last = -1;
      const track = this.#tracks[i];
      if (!track) continue;
      if (
        last >= 0 &&
        i - last > 1 &&
        times[from + i]! - times[from + last]! <= BRIDGED_SECONDS &&
        isNear(this.#tracks[last]!.place(from + last), track.place(from + i))
      )
        for (let gap = last + 1; gap < i; gap++) this.#gaps[gap] = { last: from + last, next: from + i };
      last = i;
    }
  }

  #findRuns(): void {
    const { times, cuts } = this.#clip;
    const from = this.#from;
    const count = this.#tracks.length;
    let run = 0;
    for (let start = 0; start < count;) {
      if (!this.#isKnown(start)) {
        start += 1;
        continue;
      }
      let end = start + 1;
      while (end < count && this.#isKnown(end) && !cuts.has(from + end) && this.#isOneWay(end)) end += 1;
      const seconds = (times[from + end] ?? times[from + end - 1]!) - times[from + start]!;
      const fillsScene = this.#isEdge(start) && (end === count || cuts.has(from + end));
      if (seconds >= MIN_APPEARANCE_SECONDS || fillsScene) this.#run.fill(run++, start, end);
      start = end;
    }
  }

  /**
   * Returns whether the face moves on without a jump. Two tracks can meet in neighbouring frames at
   * different places.
   */
  #isOneWay(i: number): boolean {
    const a = this.#tracks[i - 1];
    const b = this.#tracks[i];
    // The two ends of a gap are near each other.
    if (!a || !b || a === b) return true;
    return isNear(a.place(this.#from + i - 1), b.place(this.#from + i));
  }

  #isEdge(i: number): boolean {
    return i === 0 || this.#clip.cuts.has(this.#from + i);
  }

  #fade(): void {
    const { times, cuts } = this.#clip;
    const from = this.#from;
    const count = this.#tracks.length;
    this.#opacity.fill(1);
    for (let start = 0; start < count; start++) {
      const run = this.#run[start]!;
      if (run < 0 || (start > 0 && this.#run[start - 1] === run)) continue;
      let end = start + 1;
      while (end < count && this.#run[end] === run) end += 1;
      const fadesIn = !this.#isEdge(start);
      const fadesOut = end < count && !cuts.has(from + end);
      const first = times[from + start]!;
      const last = times[from + end - 1]!;
      const step = (last - first) / Math.max(1, end - 1 - start) || FADE_SECONDS;
      for (let i = start; i < end; i++) {
        const time = times[from + i]!;
        const sinceStart = fadesIn ? (time - first + step) / (FADE_SECONDS + step) : 1;
        const untilEnd = fadesOut ? (last - time + step) / (FADE_SECONDS + step) : 1;
        this.#opacity[i] = Math.min(1, sinceStart, untilEnd);
      }
    }
  }
}

/** Returns whether a face can have moved unseen from one place to the other. */
export function isNear(a: MeshRecord, b: MeshRecord): boolean {
  const size = Math.max(a.size, b.size);
  return Math.hypot(a.x - b.x, a.y - b.y) < 0.8 * size && Math.min(a.size, b.size) > 0.6 * size;
}
