import type { LumaView } from '../frame/scene-cuts.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import { readRecord, recordMesh } from '../geometry/mesh-record.ts';
import { LANDMARK_COUNT } from '../geometry/face.ts';
import { Settling } from './settling.ts';
import type { PatchScale } from './skin-patch.ts';
import { GreyPatch, patchScale, SkinView } from './skin-patch.ts';
import { SkinRegistration } from './skin-shift.ts';
import { MeshSteadier, STEADY_REACH } from './steady-mesh.ts';
import type { SurfaceSamples } from './surface-samples.ts';
import { NODE_COLUMNS, NODE_COUNT } from './surface-samples.ts';

/** Number of coordinates of the nodes' shifts. */
const SHIFT_COUNT = 2 * NODE_COUNT;

/** A frame whose later neighbours are not all known yet. */
interface Waiting {
  readonly record: MeshRecord;
  readonly timeSeconds: number;
  readonly patch: GreyPatch;
}

/** Tools that all tracks of a clip share and use in turns. */
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
 * The meshes of one face, steadied relative to the head. Landmarks know where a face is, but
 * tremble. The picture itself, registered from frame to frame, knows how the face moved, but not
 * where it is. So the landmarks are steadied in time, the picture measures how their remaining
 * error changes from frame to frame, and both are combined when a mesh is requested.
 */
export class SteadyTrack {
  readonly #tools: SteadyTools;
  /** The last frames, oldest first, which steadying still needs. */
  #recent: Waiting[] = [];
  /** Number of frames of `#recent` that are already steadied. */
  #done = 0;
  readonly #steady: MeshRecord[] = [];
  /** Measured error of the mesh in each steadied frame. */
  readonly #corrections = new Settling(SHIFT_COUNT);
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

  /** Adds the landmarks of the next frame, 478 x (x, y, z) in its pixels. */
  push(landmarks: Float32Array, luma: LumaView, timeSeconds: number): void {
    const record = recordMesh(landmarks);
    const patch = this.#sparePatch ?? new GreyPatch();
    this.#sparePatch = null;
    this.#scale = patchScale(record.size, this.#scale);
    patch.take(luma, record, this.#scale);
    this.#recent.push({ record, timeSeconds, patch });
    while (this.#recent.length - this.#done > STEADY_REACH) this.#steadyNext();
  }

  /** Removes the last frame. */
  pop(): void {
    this.#recent.pop();
  }

  /**
   * Ends the track. Its last frames are steadied by the frames before them, and none can be added.
   */
  end(): void {
    while (this.#done < this.#recent.length) this.#steadyNext();
    this.#recent = [];
    this.#done = 0;
  }

  /** Returns where the face is in a frame, without correction. */
  place(frame: number): MeshRecord {
    return this.#steady[frame] ?? this.#recent[this.#done + frame - this.#steady.length]!.record;
  }

  /**
   * Returns the mesh of a frame, from all frames added so far, which should include about ten
   * frames after it, or the end of the track.
   */
  mesh(frame: number): MeshRecord {
    const record = this.place(frame);
    return frame < this.#steady.length ? this.#corrected(record, this.#corrections.at(frame)) : record;
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
    this.#corrections.push(this.#steady.length > 0 ? registration.shift(this.#view, view) : null);
    this.#spareView = this.#view;
    this.#view = view;
    this.#steady.push(record);
    this.#done += 1;
    if (this.#done <= STEADY_REACH) return;
    this.#sparePatch = recent.shift()!.patch;
    this.#done -= 1;
  }

  #corrected(record: MeshRecord, corrections: Float32Array): MeshRecord {
    const mesh = readRecord(record, this.#mesh);
    const { first, shares } = this.#tools.samples.landmarkNodes;
    for (let v = 0; v < LANDMARK_COUNT; v++) {
      for (let k = 0; k < 4; k++) {
        const node = first[v]! + (k & 1) + (k >> 1) * NODE_COLUMNS;
        mesh[3 * v]! += shares[4 * v + k]! * corrections[node]!;
        mesh[3 * v + 1]! += shares[4 * v + k]! * corrections[node + NODE_COUNT]!;
      }
    }
    return recordMesh(mesh);
  }
}
