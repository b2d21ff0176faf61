import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { mirrorMesh } from '../uv/mirror-mesh.ts';
import type { SourceFace } from './source-face.ts';

/**
 * Factor by which the mirrored source must have seen more of what the target shows to be taken. Two
 * faces turned 10 degrees to opposite sides reach it; straight ones, and those turned to one side,
 * do not.
 */
const MIN_MIRROR_GAIN = 1.06;

/**
 * The source as it is, or in the mirror where that has seen more of what the target's faces show:
 * of a face turned the other way only the half that the target hides is seen well.
 * @param meshes 468 x (x, y, z) each
 * @param light the layout of `COARSE_SIDE`
 */
export function suitSide(
  source: SourceFace,
  meshes: readonly Float32Array[],
  light: AtlasLayout,
): SourceFace {
  return isBetterMirrored(source, meshes, light) ? mirrorSource(source, light) : source;
}

/** Whether `suitSide` takes the mirror image. */
export function isBetterMirrored(
  { seen }: Pick<SourceFace, 'seen'>,
  meshes: readonly Float32Array[],
  light: AtlasLayout,
): boolean {
  let own = 0;
  let mirrored = 0;
  for (const mesh of meshes) {
    own += seenOf(mesh, seen, light, false);
    mirrored += seenOf(mesh, seen, light, true);
  }
  return mirrored > MIN_MIRROR_GAIN * own;
}

/**
 * How many pixels of the target's face the source, or its mirror image, has seen, each by how well.
 */
function seenOf(mesh: Float32Array, seen: Float32Array, layout: AtlasGeometry, inMirror: boolean): number {
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
    sum += area * seen[y * COARSE_SIDE + (inMirror ? COARSE_SIDE - 1 - x : x)]!;
  }
  return sum;
}

/** The source as a mirror shows it. */
export function mirrorSource(source: SourceFace, layout: AtlasGeometry): SourceFace {
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
      luma: mirrorPlane(light.luma, COARSE_SIDE),
      blue: mirrorPlane(light.blue, COARSE_SIDE),
      red: mirrorPlane(light.red, COARSE_SIDE),
    },
    landmarks: mirrorMesh(source.landmarks, layout),
    eyes: mirrorMesh(source.eyes, layout),
    seen: mirrorPlane(source.seen, COARSE_SIDE),
    lost: source.lost && mirrorPlane(source.lost, COARSE_SIDE),
  };
}

function mirrorPlane(plane: Float32Array, side: number): Float32Array {
  const out = new Float32Array(plane.length);
  for (let start = 0; start < plane.length; start += side)
    out.set(plane.subarray(start, start + side).toReversed(), start);
  return out;
}
