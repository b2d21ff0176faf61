import path from 'node:path';
import { loadCanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import { FaceTracks } from '@guise/engine/face/track/face-tracks.ts';
import { LANDMARK_COUNT, MESH_VERTEX_COUNT } from '@guise/engine/face/geometry/face.ts';
import { readRecord, recordMesh } from '@guise/engine/face/geometry/mesh-record.ts';
import { PersonTimeline } from '@guise/engine/face/persons/person-timeline.ts';
import { findPersons } from '@guise/engine/face/persons/persons.ts';
import { MESH_REGION_SCALE, regionOfMesh } from '@guise/engine/face/geometry/region.ts';
import { MeshSteadier } from '@guise/engine/face/steady/steady-mesh.ts';
import { CORE_SKIN } from '@guise/engine/mesh/uv/face-regions.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { fillPolygon } from '@guise/kernels/polygon.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import type { LumaPlane, MediaFrame } from '@guise/media/video/video-types.ts';
import { round } from './report/figures.ts';
import { swapClip } from './swap-clip.ts';

const SHORT_SIDE = 720;

/**
 * Outlines of five regions, as vertices: the forehead, both cheeks, the middle from between the
 * eyes to the upper lip, and the chin.
 */
const REGIONS = [
  [103, 67, 109, 10, 338, 297, 332, 333, 299, 337, 151, 108, 69, 104],
  [117, 118, 101, 36, 205, 187, 123],
  [346, 347, 330, 266, 425, 411, 352],
  [168, 351, 277, 329, 371, 423, 164, 203, 142, 100, 47, 122],
  [201, 200, 421, 428, 396, 175, 171, 208],
] as const;
/**
 * Number of parts into which each side of a pixel is divided, so that a pixel at the edge of a
 * region counts by the share that the region covers.
 */
const PARTS = 4;

/** Ratios of mean second differences in time, result to target. 1: as steady as the target. */
export interface Steadiness {
  /** Ratio for the landmarks, as they are found in each clip. */
  readonly jitter: number;
  /**
   * Unsteadiness of the face in the result relative to the head in the target, both as followed by
   * the tracking of a swap. In pixels and not a ratio; includes the error of the landmarks of about
   * 0.2.
   */
  readonly slidePx: number;
  /**
   * Ratio for the mean red, green and blue of five regions of the face, which are placed by the
   * landmarks of each clip.
   */
  readonly colourFlicker: number;
  /**
   * Ratios for the luma of 34 patches of 5 x 5 pixels on bare skin, which are placed in three ways.
   */
  readonly patchFlicker: {
    /**
     * Patches at the nearest whole pixels of each clip's landmarks. These tremble, so contrast that
     * is drawn at unsteady places counts, too.
     */
    readonly asRead: number;
    /** Patches at each clip's smoothed landmarks, between pixels. Sliding still counts. */
    readonly steadied: number;
    /**
     * Patches at the place of the target's face in both clips, as followed by the tracking of a
     * swap. This measures light and codec, and not sliding.
     */
    readonly followed: number;
  };
}

/**
 * Swaps a clip and measures the result and the target, both after the same encoder.
 * @param dir folder for the two clips
 */
export async function measureSteadiness(
  engine: Engine,
  source: string,
  inputPath: string,
  dir: string,
): Promise<Record<string, unknown>> {
  const plain = path.join(dir, 'plain.mp4');
  const swapped = path.join(dir, 'swapped.mp4');
  // The target is encoded in the same way, so that the noise of the encoder is in both clips.
  await processVideo({ inputPath, outputPath: plain, container: 'mp4', maxShortSide: SHORT_SIDE });
  const { frames, identitySimilarity } = await swapClip(engine, source, inputPath, swapped, SHORT_SIDE);
  return {
    clip: path.basename(inputPath),
    source: path.basename(source),
    ...(await readSteadiness(engine, plain, swapped)),
    frames,
    identitySimilarity: identitySimilarity === null ? null : round(identitySimilarity),
  };
}

/**
 * Measures steadiness.
 * @param plain the target
 * @param swapped the result, with the same frames
 */
async function readSteadiness(engine: Engine, plain: string, swapped: string): Promise<Steadiness> {
  const own = await readMeshes(engine, plain);
  const result = await readMeshes(engine, swapped, own.meshes.find((mesh) => mesh !== null) ?? undefined);
  const followed = await followedMeshes(engine, plain);
  const carried = await followedMeshes(engine, swapped, followed);
  const before = await readSkin(plain, [own.meshes, steadied(own), followed]);
  const after = await readSkin(swapped, [result.meshes, steadied(result), followed]);
  const [asRead, atSteadied, atFollowed] = before.patches.map((patches, way) =>
    round(bend(after.patches[way]!) / bend(patches)),
  ) as [number, number, number];
  return {
    jitter: round(bend(flat(result.meshes)) / bend(flat(own.meshes))),
    slidePx: round(bend(flat(apart(followed, carried)))),
    colourFlicker: round(bend(after.regions) / bend(before.regions)),
    patchFlicker: { asRead, steadied: atSteadied, followed: atFollowed },
  };
}

type Meshes = readonly (Float32Array | null)[];

/** Landmarks of one face in every frame of a clip. */
interface Reading {
  readonly times: number[];
  readonly meshes: (Float32Array | null)[];
}

/** Finds the mesh of the largest face, or of the face at `start`, in each frame of a clip. */
async function readMeshes(engine: Engine, inputPath: string, start?: Float32Array): Promise<Reading> {
  const reading: Reading = { times: [], meshes: [] };
  let last = start;
  await scanVideo(inputPath, async (frame: MediaFrame) => {
    reading.times.push(frame.timeSeconds);
    const image = frame.rgb({ x: 0, y: 0, width: frame.width, height: frame.height });
    last ??= (await engine.detect(image)).sort((a, b) => b.box.height - a.box.height)[0]?.landmarks;
    const found =
      last &&
      (await engine.analyser.readMesh(new ImagePyramid(image), regionOfMesh(last, MESH_REGION_SCALE)));
    if (found === undefined || found.score < 0.5) {
      reading.meshes.push(null);
      return;
    }
    last = found.landmarks;
    reading.meshes.push(last.slice(0, MESH_VERTEX_COUNT * 3));
  });
  return reading;
}

/** Smooths the meshes with the filter of a swap, so that the error of the landmarks counts less. */
function steadied({ times, meshes }: Reading): Meshes {
  const steadier = new MeshSteadier();
  const records = meshes.map((mesh) => mesh && recordMesh(mesh));
  return records.map((record, index) => {
    if (record === null) return null;
    const out = new Float32Array(LANDMARK_COUNT * 3);
    steadier.read((at) => records[at] ?? null, times, index, out);
    return out.subarray(0, MESH_VERTEX_COUNT * 3);
  });
}

/**
 * Returns the meshes of the clip's main face, or of the face nearest to `near`, as followed by the
 * tracking of a swap.
 */
async function followedMeshes(engine: Engine, inputPath: string, near?: Meshes): Promise<Meshes> {
  const tracks = new FaceTracks(engine.analyser, await loadCanonicalFace());
  await scanVideo(inputPath, (frame) => tracks.look(frame));
  tracks.finish();
  const found = findPersons(tracks).map((person) => {
    const timeline = new PersonTimeline(tracks, person);
    return tracks.times.map((_, frame) => {
      const face = timeline.at(frame);
      return face && readRecord(face.mesh, new Float32Array(MESH_VERTEX_COUNT * 3));
    });
  });
  if (found.length === 0) throw new Error(`nobody in ${inputPath}`);
  return near === undefined ? found[0]! : found.reduce((a, b) => (away(b, near) < away(a, near) ? b : a));
}

/** Subtracts one face's meshes from the other's, in the frames that have both. */
function apart(a: Meshes, b: Meshes): Meshes {
  return a.map((mesh, frame) => {
    const other = b[frame];
    return mesh && other ? mesh.map((value, i) => value - other[i]!) : null;
  });
}

/** Returns the mean distance along an axis; infinite if the faces are never in the same frame. */
function away(a: Meshes, b: Meshes): number {
  const gaps = flat(apart(a, b)).map((mesh) => mesh.reduce((sum, value) => sum + Math.abs(value), 0));
  return gaps.length === 0 ? Infinity : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
}

/** Skin of a clip, for each frame with a mesh. */
interface Skin {
  /** Mean colours of the regions, placed by the first way. */
  readonly regions: Float32Array[];
  /** Luma of the patches, for each way of placing. The first way uses whole pixels. */
  readonly patches: Float32Array[][];
}

async function readSkin(inputPath: string, ways: readonly Meshes[]): Promise<Skin> {
  const skin: Skin = { regions: [], patches: ways.map(() => []) };
  await scanVideo(inputPath, (frame) => {
    for (const [way, meshes] of ways.entries()) {
      const mesh = meshes[frame.index];
      if (!mesh) continue;
      skin.patches[way]!.push(patchLuma(frame, mesh, way === 0));
      if (way === 0) skin.regions.push(regionColours(frame, mesh));
    }
  });
  return skin;
}

/** Returns the mean red, green and blue inside each of the `REGIONS`. */
function regionColours(frame: MediaFrame, mesh: Float32Array): Float32Array {
  return Float32Array.from(
    REGIONS.flatMap((ring) => {
      const xs = ring.map((vertex) => mesh[3 * vertex]!);
      const ys = ring.map((vertex) => mesh[3 * vertex + 1]!);
      const left = Math.max(0, Math.floor(Math.min(...xs)));
      const top = Math.max(0, Math.floor(Math.min(...ys)));
      const rect = {
        x: left,
        y: top,
        width: Math.ceil(Math.max(...xs)) - left,
        height: Math.ceil(Math.max(...ys)) - top,
      };
      const { data, width, height } = frame.rgb(rect);
      const inside = new Float32Array(width * height * PARTS * PARTS);
      const corners = ring.flatMap((vertex) => [
        (mesh[3 * vertex]! - left) * PARTS,
        (mesh[3 * vertex + 1]! - top) * PARTS,
      ]);
      fillPolygon(inside, width * PARTS, height * PARTS, corners);
      const sum = [0, 0, 0, 0] as [number, number, number, number];
      for (const [part, value] of inside.entries()) {
        if (value === 0) continue;
        const row = Math.floor(part / (width * PARTS * PARTS));
        const i = row * width + Math.floor((part % (width * PARTS)) / PARTS);
        for (let channel = 0; channel < 3; channel++) sum[channel]! += data[3 * i + channel]!;
        sum[3] += 1;
      }
      return [0, 1, 2].map((channel) => sum[channel]! / Math.max(1, sum[3]));
    }),
  );
}

/**
 * Returns the means of 5 x 5 pixels at the vertices of bare skin, at the nearest pixels or between
 * pixels.
 */
function patchLuma(frame: MediaFrame, landmarks: Float32Array, isWhole: boolean): Float32Array {
  const plane = frame.luma();
  const { width, height } = plane;
  return Float32Array.from(CORE_SKIN.flat(), (vertex) => {
    const atX = landmarks[3 * vertex]!;
    const atY = landmarks[3 * vertex + 1]!;
    if (isWhole) return patchMean(plane, Math.round(atX), Math.round(atY));
    const x = Math.max(2, Math.min(width - 4, atX - 0.5));
    const y = Math.max(2, Math.min(height - 4, atY - 0.5));
    const left = Math.floor(x);
    const top = Math.floor(y);
    const mix = (row: number): number =>
      patchMean(plane, left, row) * (left + 1 - x) + patchMean(plane, left + 1, row) * (x - left);
    return mix(top) * (top + 1 - y) + mix(top + 1) * (y - top);
  });
}

function patchMean({ data, stride, width, height }: LumaPlane, atX: number, atY: number): number {
  const x = Math.max(2, Math.min(width - 3, atX));
  const y = Math.max(2, Math.min(height - 3, atY));
  let sum = 0;
  for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) sum += data[(y + dy) * stride + x + dx]!;
  return sum / 25;
}

/** Removes z from meshes. */
function flat(meshes: Meshes): Float32Array[] {
  return meshes
    .filter((mesh) => mesh !== null)
    .map((mesh) => mesh.map((value, i) => (i % 3 === 2 ? 0 : value)));
}

/** Returns the mean size of the second difference of every value over all triples of frames. */
function bend(values: readonly Float32Array[]): number {
  let sum = 0;
  let count = 0;
  for (let t = 1; t + 1 < values.length; t++) {
    for (let i = 0; i < values[t]!.length; i++) {
      sum += Math.abs(values[t + 1]![i]! - 2 * values[t]![i]! + values[t - 1]![i]!);
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}
