import { LANDMARK_COUNT, MESH_VERTEX_COUNT } from '../face/face.ts';
import type { Atlas } from './atlas.ts';
import { LIGHT_SIDE, perLayout } from './atlas-layout.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import type { SourceFace } from './source-face.ts';

/**
 * How much more of what the target shows the mirrored source must have seen to be taken. Two faces turned 10 degrees to opposite sides
 * are there; straight ones, and those turned to one side, stay below.
 */
const LEAST_GAIN = 1.06;
/** Points of an iris after its centre: right, top, left, bottom. A mirror exchanges right and left. */
const IRIS_IN_MIRROR = [0, 3, 2, 1, 4] as const;
const IRIS_POINTS = IRIS_IN_MIRROR.length;

/**
 * The source as it is, or in the mirror where that has seen more of what the target's faces show: of a face turned the other way only
 * the half that the target hides is seen well.
 * @param meshes 468 x (x, y, z) each @param light the layout of `LIGHT_SIDE`
 */
export function suitSide(
  source: SourceFace,
  meshes: readonly Float32Array[],
  light: AtlasLayout,
): SourceFace {
  let own = 0;
  let mirrored = 0;
  for (const mesh of meshes) {
    own += seenOf(mesh, source.seen, light, false);
    mirrored += seenOf(mesh, source.seen, light, true);
  }
  return mirrored > LEAST_GAIN * own ? mirrorSource(source, light) : source;
}

/** How many pixels of the target's face the source, or its mirror image, has seen, each by how well. */
function seenOf(mesh: Float32Array, seen: Float32Array, layout: AtlasLayout, inMirror: boolean): number {
  const { triangles, points } = layout;
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t]!;
    const b = triangles[t + 1]!;
    const c = triangles[t + 2]!;
    const ax = mesh[3 * a]!;
    const ay = mesh[3 * a + 1]!;
    // Counter-clockwise with y up: positive for what faces the camera.
    const area =
      (mesh[3 * b + 1]! - ay) * (mesh[3 * c]! - ax) - (mesh[3 * b]! - ax) * (mesh[3 * c + 1]! - ay);
    if (area <= 0) continue;
    const x = Math.floor((points[2 * a]! + points[2 * b]! + points[2 * c]!) / 3);
    const y = Math.floor((points[2 * a + 1]! + points[2 * b + 1]! + points[2 * c + 1]!) / 3);
    sum += area * seen[y * LIGHT_SIDE + (inMirror ? LIGHT_SIDE - 1 - x : x)]!;
  }
  return sum;
}

/** The source as a mirror shows it. */
export function mirrorSource(source: SourceFace, layout: AtlasLayout): SourceFace {
  const { atlas, light } = source;
  const { side } = atlas;
  const mirrored: Atlas = {
    side,
    luma: mirrorPlane(atlas.luma, side),
    blue: mirrorPlane(atlas.blue, side),
    red: mirrorPlane(atlas.red, side),
    facing: mirrorPlane(atlas.facing, side),
  };
  return {
    ...source,
    atlas: mirrored,
    light: {
      luma: mirrorPlane(light.luma, LIGHT_SIDE),
      blue: mirrorPlane(light.blue, LIGHT_SIDE),
      red: mirrorPlane(light.red, LIGHT_SIDE),
    },
    landmarks: mirrorMesh(source.landmarks, layout),
    eyes: mirrorMesh(source.eyes, layout),
    seen: mirrorPlane(source.seen, LIGHT_SIDE),
  };
}

function mirrorPlane(plane: Float32Array, side: number): Float32Array {
  const out = new Float32Array(plane.length);
  for (let start = 0; start < plane.length; start += side)
    out.set(plane.subarray(start, start + side).toReversed(), start);
  return out;
}

function mirrorMesh(mesh: Float32Array, layout: AtlasLayout): Float32Array {
  const twins = twinsOf(layout);
  const out = new Float32Array(mesh.length);
  for (let v = 0; 3 * v < mesh.length; v++) {
    const twin = 3 * twins[v]!;
    out[3 * v] = -mesh[twin]!;
    out[3 * v + 1] = mesh[twin + 1]!;
    out[3 * v + 2] = mesh[twin + 2]!;
  }
  return out;
}

/** For each landmark the one that a mirror shows in its place. */
const twinsOf = perLayout(({ points, side }): Uint16Array => {
  const twins = new Uint16Array(LANDMARK_COUNT);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    let nearest = Infinity;
    for (let w = 0; w < MESH_VERTEX_COUNT; w++) {
      const away = Math.hypot(
        side - points[2 * v]! - points[2 * w]!,
        points[2 * v + 1]! - points[2 * w + 1]!,
      );
      if (away >= nearest) continue;
      nearest = away;
      twins[v] = w;
    }
  }
  const second = MESH_VERTEX_COUNT + IRIS_POINTS;
  for (const [k, other] of IRIS_IN_MIRROR.entries()) {
    twins[MESH_VERTEX_COUNT + k] = second + other;
    twins[second + k] = MESH_VERTEX_COUNT + other;
  }
  return twins;
});
