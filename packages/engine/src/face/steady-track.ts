import type { LumaView } from './scene-cuts.ts';
import type { MeshRecord } from './mesh-record.ts';
import { readRecord, recordMesh } from './mesh-record.ts';
import { LANDMARK_COUNT } from './face.ts';
import type { PatchScale } from './skin-patch.ts';
import { GreyPatch, patchScale, SkinView } from './skin-patch.ts';
import { SkinRegistration } from './skin-shift.ts';
import { MeshSteadier, STEADY_REACH } from './steady-mesh.ts';
import type { SurfaceSamples } from './surface-samples.ts';
import { NODE_COLUMNS, NODE_COUNT } from './surface-samples.ts';

const SHIFTS = 2 * NODE_COUNT;
/** How little the steadied landmarks' own place counts in one frame beside one registration: they err slowly, over many. */
const ANCHOR = 0.03;
/** Where registration failed, the landmarks' own motion counts so much beside one. */
const UNSEEN = 0.04;

/** A frame whose neighbours after it are not all known yet. */
interface Waiting {
  readonly record: MeshRecord;
  readonly timeSeconds: number;
  readonly patch: GreyPatch;
}

/** What all the tracks of a clip share: they take turns. */
export interface SteadyTools {
  readonly samples: SurfaceSamples;
  readonly steadier: MeshSteadier;
  readonly registration: SkinRegistration;
}

export function createSteadyTools(samples: SurfaceSamples): SteadyTools {
  return {
    samples,
    steadier: new MeshSteadier(),
    registration: new SkinRegistration(samples),
  };
}

/**
 * One face's meshes, made to lie still on the head. Landmarks know where a face is, but tremble; the picture itself, registered
 * from each frame to the next, knows how it moved, but not where it is. The landmarks are steadied in time, the picture tells by
 * how much that still errs from frame to frame, and at the end, with the whole track known, both are brought together.
 */
export class SteadyTrack {
  readonly #tools: SteadyTools;
  /** The last frames, oldest first: those that steadying still needs. */
  #recent: Waiting[] = [];
  /** How many of `#recent` are steadied already. */
  #done = 0;
  readonly #steady: MeshRecord[] = [];
  /** From each steadied frame to the next: the change of the mesh's error, null where it was not seen. */
  readonly #shifts: (Float32Array | null)[] = [];
  readonly #mesh = new Float32Array(LANDMARK_COUNT * 3);
  #view: SkinView;
  #spareView: SkinView;
  #sparePatch: GreyPatch | null = null;
  #scale: PatchScale | null = null;

  constructor(tools: SteadyTools) {
    this.#tools = tools;
    this.#view = new SkinView(tools.samples.count);
    this.#spareView = new SkinView(tools.samples.count);
  }

  get length(): number {
    return this.#steady.length + this.#recent.length - this.#done;
  }

  /** The next frame's landmarks, 478 x (x, y, z) in its pixels; `steady` does the rest of the work that makes. */
  push(landmarks: Float32Array, luma: LumaView, timeSeconds: number): void {
    const record = recordMesh(landmarks);
    const patch = this.#sparePatch ?? new GreyPatch();
    this.#sparePatch = null;
    this.#scale = patchScale(record.size, this.#scale);
    patch.take(luma, record, this.#scale);
    this.#recent.push({ record, timeSeconds, patch });
  }

  /** Steadies what can be: to be called before each `push`, at a time that suits. */
  steady(): void {
    while (this.#recent.length - this.#done > STEADY_REACH) this.#steadyNext();
  }

  /** Takes the last frame back. */
  pop(): void {
    this.#recent.pop();
  }

  /** The meshes of all frames. No more can be pushed. */
  finish(): MeshRecord[] {
    while (this.#done < this.#recent.length) this.#steadyNext();
    this.#recent = [];
    const corrections = settle(this.#shifts);
    return this.#steady.map((record, frame) => this.#corrected(record, corrections, frame));
  }

  #steadyNext(): void {
    const { samples, steadier, registration } = this.#tools;
    const recent = this.#recent;
    const at = this.#done;
    const times = recent.map(({ timeSeconds }) => timeSeconds);
    steadier.read((index) => recent[index]?.record ?? null, times, at, this.#mesh);
    const record = recordMesh(this.#mesh);
    const view = this.#spareView;
    view.read(samples, recent[at]!.patch, this.#mesh, record.size);
    if (this.#steady.length > 0) this.#shifts.push(registration.shift(this.#view, view));
    this.#spareView = this.#view;
    this.#view = view;
    this.#steady.push(record);
    this.#done += 1;
    if (this.#done <= STEADY_REACH) return;
    this.#sparePatch = recent.shift()!.patch;
    this.#done -= 1;
  }

  #corrected(record: MeshRecord, corrections: Float32Array, frame: number): MeshRecord {
    const mesh = readRecord(record, this.#mesh);
    const { first, shares } = this.#tools.samples.landmarkNodes;
    const start = frame * SHIFTS;
    for (let v = 0; v < LANDMARK_COUNT; v++) {
      for (let k = 0; k < 4; k++) {
        const node = start + first[v]! + (k & 1) + (k >> 1) * NODE_COLUMNS;
        mesh[3 * v]! += shares[4 * v + k]! * corrections[node]!;
        mesh[3 * v + 1]! += shares[4 * v + k]! * corrections[node + NODE_COUNT]!;
      }
    }
    return recordMesh(mesh);
  }
}

/**
 * Corrections that change from frame to frame as the shifts say, yet stay near 0, where the steadied landmarks are: the
 * least sum of squares over the whole track, so that nothing lags. One tridiagonal system, the same for every node.
 * @returns `SHIFTS` values a frame
 */
export function settle(shifts: readonly (Float32Array | null)[]): Float32Array {
  const frames = shifts.length + 1;
  const values = new Float32Array(frames * SHIFTS);
  const link = shifts.map((shift) => (shift === null ? UNSEEN : 1));
  for (const [t, shift] of shifts.entries()) {
    if (shift === null) continue;
    for (let i = 0; i < SHIFTS; i++) {
      values[t * SHIFTS + i]! -= shift[i]!;
      values[(t + 1) * SHIFTS + i]! += shift[i]!;
    }
  }
  const pivot = new Float64Array(frames);
  for (let t = 0; t < frames; t++) {
    pivot[t] = ANCHOR + (link[t - 1] ?? 0) + (link[t] ?? 0);
    if (t === 0) continue;
    const share = link[t - 1]! / pivot[t - 1]!;
    pivot[t]! -= share * link[t - 1]!;
    for (let i = 0; i < SHIFTS; i++) values[t * SHIFTS + i]! += share * values[(t - 1) * SHIFTS + i]!;
  }
  for (let t = frames - 1; t >= 0; t--) {
    const next = link[t] ?? 0;
    for (let i = 0; i < SHIFTS; i++) {
      const after = t + 1 === frames ? 0 : next * values[(t + 1) * SHIFTS + i]!;
      values[t * SHIFTS + i] = (values[t * SHIFTS + i]! + after) / pivot[t]!;
    }
  }
  return values;
}
