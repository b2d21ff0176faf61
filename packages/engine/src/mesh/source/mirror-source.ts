import { sideLight } from '../../face/geometry/side-light.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { mirrorMesh } from '../uv/mirror-mesh.ts';
import type { Light } from '../skin/light.ts';
import type { Glasses } from './glasses.ts';
import type { SourceFace } from './source-face.ts';

/**
 * Factor by which the mirrored source must show more of the target's visible parts to be used. Two
 * faces turned 10 degrees to opposite sides reach it; straight ones, and those turned to one side,
 * do not.
 */
const MIN_MIRROR_GAIN = 1.06;
/**
 * That factor if source and target are lit from opposite sides and both show nearly as much: the
 * shades of nose and eye sockets, which relighting cannot remove, then fall to the right side.
 */
const MIN_RELIT_GAIN = 0.94;
/** Light from a side, see `sideLight`, from which a face counts as lit from that side. */
const MIN_SIDE_LIGHT = 0.06;

/** Properties of a target's faces by which `suitSide` chooses. */
export interface TargetSide {
  /** 468 x (x, y, z) each. */
  readonly meshes: readonly Float32Array[];
  /** Side that the light comes from, see `sideLight`. */
  readonly litFrom: number;
}

/**
 * Returns the source as it is, or mirrored if that shows more of what the target's faces show,
 * because a source turned the other way shows only the half that the target hides. Also mirrors it
 * if that brings its light to the target's side.
 * @param layout the one of `COARSE_SIDE`
 */
export function suitSide(source: SourceFace, target: TargetSide, layout: AtlasLayout): SourceFace {
  return mirrorGain(source, target, layout) > 1 ? mirrorSource(source, layout) : source;
}

/**
 * Returns how much better the mirror image suits the target. Above 1, `suitSide` uses it.
 */
export function mirrorGain(
  { seen, light }: Pick<SourceFace, 'seen' | 'light'>,
  { meshes, litFrom }: TargetSide,
  layout: AtlasLayout,
): number {
  let own = 0;
  let mirrored = 0;
  for (const mesh of meshes) {
    own += seenOf(mesh, seen, layout, false);
    mirrored += seenOf(mesh, seen, layout, true);
  }
  const ownLight = atlasSideLight(light.luma, layout);
  const isOpposite =
    ownLight * litFrom < 0 && Math.min(Math.abs(ownLight), Math.abs(litFrom)) > MIN_SIDE_LIGHT;
  return mirrored / (own * (isOpposite ? MIN_RELIT_GAIN : MIN_MIRROR_GAIN));
}

/**
 * Measures the side that a face's light comes from, see `sideLight`.
 * @param luma coarse plane @param layout the one of `COARSE_SIDE`
 */
export function atlasSideLight(luma: Float32Array, { points }: AtlasGeometry): number {
  return sideLight(
    (vertex) => luma[Math.floor(points[2 * vertex + 1]!) * COARSE_SIDE + Math.floor(points[2 * vertex]!)]!,
  );
}

/** Counts the pixels of the target's face that the source, or its mirror image, shows, weighted. */
function seenOf(mesh: Float32Array, seen: Float32Array, layout: AtlasGeometry, inMirror: boolean): number {
  const { triangles, points } = layout;
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t]!;
    const b = triangles[t + 1]!;
    const c = triangles[t + 2]!;
    const ax = mesh[3 * a]!;
    const ay = mesh[3 * a + 1]!;
    // Counter-clockwise with y up, so positive if the triangle faces the camera.
    const area =
      (mesh[3 * b + 1]! - ay) * (mesh[3 * c]! - ax) - (mesh[3 * b]! - ax) * (mesh[3 * c + 1]! - ay);
    if (area <= 0) continue;
    const x = Math.floor((points[2 * a]! + points[2 * b]! + points[2 * c]!) / 3);
    const y = Math.floor((points[2 * a + 1]! + points[2 * b + 1]! + points[2 * c + 1]!) / 3);
    sum += area * seen[y * COARSE_SIDE + (inMirror ? COARSE_SIDE - 1 - x : x)]!;
  }
  return sum;
}

/** Mirrors the source. */
export function mirrorSource(source: SourceFace, layout: AtlasGeometry): SourceFace {
  const { atlas, light } = source;
  const { side } = atlas;
  return {
    ...source,
    atlas: mirrorAtlas(atlas),
    light: mirrorLight(light),
    landmarks: mirrorMesh(source.landmarks, layout),
    eyes: mirrorMesh(source.eyes, layout),
    seen: mirrorPlane(source.seen, COARSE_SIDE),
    shown: mirrorPlane(source.shown, COARSE_SIDE),
    beard: source.beard && {
      ...source.beard,
      luma: mirrorPlane(source.beard.luma, side),
      colour: mirrorPlane(source.beard.colour, side),
      hides: mirrorPlane(source.beard.hides, COARSE_SIDE),
    },
    glasses: source.glasses && mirrorGlasses(source.glasses, layout),
    lost: source.lost && mirrorPlane(source.lost, COARSE_SIDE),
  };
}

/** Mirrors glasses, with the face that wears them. */
export function mirrorGlasses(glasses: Glasses, layout: AtlasGeometry): Glasses {
  const { atlas, rims, lenses, ends } = glasses;
  return {
    ...glasses,
    atlas: mirrorAtlas(atlas),
    light: mirrorLight(glasses.light),
    rims: mirrorPlane(rims, atlas.side),
    lenses: mirrorPlane(lenses, atlas.side),
    ends: [1 - ends[1], 1 - ends[0]],
    landmarks: mirrorMesh(glasses.landmarks, layout),
  };
}

function mirrorLight({ luma, blue, red }: Light): Light {
  return {
    luma: mirrorPlane(luma, COARSE_SIDE),
    blue: mirrorPlane(blue, COARSE_SIDE),
    red: mirrorPlane(red, COARSE_SIDE),
  };
}

function mirrorAtlas({ side, luma, blue, red, facing }: Atlas): Atlas {
  const mirrored = (plane: Float32Array): Float32Array => mirrorPlane(plane, side);
  return {
    side,
    luma: mirrored(luma),
    blue: mirrored(blue),
    red: mirrored(red),
    facing: mirrored(facing),
  };
}

function mirrorPlane(plane: Float32Array, side: number): Float32Array {
  const out = new Float32Array(plane.length);
  for (let start = 0; start < plane.length; start += side)
    out.set(plane.subarray(start, start + side).toReversed(), start);
  return out;
}
