import path from 'node:path';
import { loadCanonicalFace } from '@guise/engine/face/canonical-face.ts';
import { FaceTracks } from '@guise/engine/face/face-tracks.ts';
import { LANDMARK_COUNT, MESH_VERTEX_COUNT } from '@guise/engine/face/face.ts';
import { readRecord, recordMesh } from '@guise/engine/face/mesh-record.ts';
import { PersonTimeline } from '@guise/engine/face/person-timeline.ts';
import { findPersons } from '@guise/engine/face/persons.ts';
import { MESH_REGION_SCALE, regionOfMesh } from '@guise/engine/face/region.ts';
import { MeshSteadier } from '@guise/engine/face/steady-mesh.ts';
import { CORE_SKIN } from '@guise/engine/mesh/face-regions.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { fillPolygon } from '@guise/kernels/polygon.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import type { LumaPlane, MediaFrame } from '@guise/media/video/video-types.ts';
import { round } from './figures.ts';
import { swapClip } from './swap-clip.ts';

const SHORT_SIDE = 720;

/**
 * Rings of vertices: forehead, both cheeks, the middle from between the eyes to the upper lip,
 * chin.
 */
const REGIONS = [
  [103, 67, 109, 10, 338, 297, 332, 333, 299, 337, 151, 108, 69, 104],
  [117, 118, 101, 36, 205, 187, 123],
  [346, 347, 330, 266, 425, 411, 352],
  [168, 351, 277, 329, 371, 423, 164, 203, 142, 100, 47, 122],
  [201, 200, 421, 428, 396, 175, 171, 208],
] as const;
/** Parts of a pixel along each side, so that a region's edge counts as far as it covers a pixel. */
const PARTS = 4;

/** Mean second differences in time, result over target: 1 is as steady as the target itself. */
export interface Steadiness {
  /** Of the landmarks, as read in each clip. */
  readonly jitter: number;
  /**
   * Not a ratio, pixels: of the way from where the head is, followed in the target, to where the
   * face is, followed in the result. The reading's own error, about 0.2, is in it.
   */
  readonly slidePx: number;
  /**
   * Of the mean red, green and blue of five regions of the face, put by each clip's own landmarks.
   */
  readonly colourFlicker: number;
  /** Of the luma of 34 patches of 5 x 5 pixels on bare skin, put in three ways. */
  readonly patchFlicker: {
    /**
     * At the nearest whole pixel of each clip's own landmarks, which tremble: contrast looked at
     * unsteadily counts too.
     */
    readonly asRead: number;
    /** The same landmarks steadied, between pixels: what slides on the face is still seen. */
    readonly steadied: number;
    /**
     * In both clips where the swap's own tracking puts the face in the target's: light and codec,
     * blind to what slides.
     */
    readonly followed: number;
  };
}

/**
 * Swaps a clip and reads the result beside the target, both through the same encoder. `dir` takes
 * the two clips.
 */
export async function measureSteadiness(
  engine: Engine,
  source: string,
  inputPath: string,
  dir: string,
): Promise<Record<string, unknown>> {
  const plain = path.join(dir, 'plain.mp4');
  const swapped = path.join(dir, 'swapped.mp4');
  // The target's own trace is read after the same encoder: its noise is not the swap's.
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

/** @param plain the target and @param swapped the result, frame by frame the same */
export async function readSteadiness(engine: Engine, plain: string, swapped: string): Promise<Steadiness> {
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

/** One face's landmarks in every frame of a clip. */
interface Reading {
  readonly times: number[];
  readonly meshes: (Float32Array | null)[];
}

/** Follows the largest face, or the one at `start`. */
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

/** Without the reading's tremble. */
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

/** The clip's main face, or the one nearest to `near`, as a swap follows it. */
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

/** Each value of one mesh less the other's, in the frames that have both. */
function apart(a: Meshes, b: Meshes): Meshes {
  return a.map((mesh, frame) => {
    const other = b[frame];
    return mesh && other ? mesh.map((value, i) => value - other[i]!) : null;
  });
}

/** Mean distance along an axis; infinite for faces that are never there together. */
function away(a: Meshes, b: Meshes): number {
  const gaps = flat(apart(a, b)).map((mesh) => mesh.reduce((sum, value) => sum + Math.abs(value), 0));
  return gaps.length === 0 ? Infinity : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
}

/** What a clip's skin looks like in every frame that has a mesh. */
interface Skin {
  /** Mean colours of the regions, put by the first way. */
  readonly regions: Float32Array[];
  /** Luma of the patches, for each way to put them; the first at whole pixels. */
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

/** Mean red, green and blue inside each of the `REGIONS`. */
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

/** Means of 5 x 5 pixels at the vertices of bare skin, between whole pixels or at the nearest. */
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

/** The image's part of the meshes. */
function flat(meshes: Meshes): Float32Array[] {
  return meshes
    .filter((mesh) => mesh !== null)
    .map((mesh) => mesh.map((value, i) => (i % 3 === 2 ? 0 : value)));
}

/** Mean size of the second difference of every value over all triples of frames. */
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
