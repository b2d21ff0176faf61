import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { affineToAtlas, eyeOf } from './eye.ts';
import { texelsWhere } from '../uv/texel.ts';

/**
 * Distance from the centre of the iris, in its radii. 0 at `from`, where the pupil ends; 1 at `to`,
 * where the coloured ring begins.
 */
export const RING_INNER: Ramp = { from: 0.3, to: 0.5 };
/**
 * Distance, in radii of the iris, over which the ring fades out: visible at `from`, invisible at
 * `to`.
 */
export const RING_OUTER: Ramp = { from: 0.85, to: 1.1 };
/**
 * Opening of an eye, in iris diameters. 0 at `from`: its iris is ignored; 1 at `to`: it counts
 * fully.
 */
export const SEEN_OPENING: Ramp = { from: 0.25, to: 0.5 };
/** Opening, in iris diameters, from which the colour of an eye's iris can be measured. */
const MEASURED_OPENING = 0.35;
/** Depth in the eye (0.5 at the lids) above which a texel of the ring is free of lashes. */
const RING_DEPTH = 0.8;
/**
 * Luma levels of a pixel above the iris. 0 at `from`: the pixel is iris; 1 at `to`: it is a
 * reflection.
 */
export const GLINT_LUMA: Ramp = { from: 25, to: 70 };
/**
 * Share of the way to the source's colour. The rest keeps the lids' shade and the target's pattern.
 */
export const IRIS_COLOUR_SHARE = 0.8;

/** Largest ratio between the lumas of the target's irises and of irises seen through glasses. */
const MAX_GUESSED_CONTRAST = 1.33;

/** Luma and colour differences, levels. */
export type IrisColour = readonly [luma: number, blue: number, red: number];

/** A texel of the atlas and its distance from the middle of an iris. */
interface RingPlace {
  readonly texel: number;
  /** Distance in radii of the iris, in the image of the mesh. */
  readonly distance: number;
}

/** Lists the texels of both eyes, row by row, without their soft edges. */
const eyeTexels = perLayout(({ softEyes }: RegionMasks): Uint32Array =>
  texelsWhere(softEyes.length, (texel) => softEyes[texel]! > 0.5),
);

/** Lists the texels of an eye that the iris of this mesh may cover, including its rim. */
export function irisPlaces(
  layout: AtlasLayout,
  mesh: Float32Array,
  shape: (typeof EYES)[number],
): RingPlace[] {
  const { side, points } = layout;
  const eye = eyeOf(mesh, shape);
  const [a, b, c, d, e, f] = affineToAtlas(mesh, points, shape.ring);
  const centreX = a * eye.x + b * eye.y + c;
  const centreY = d * eye.x + e * eye.y + f;
  // The atlas has different scales along its axes, so each texel is mapped back to the image.
  const det = a * e - b * d;
  const rows = shape.ring.map((v) => points[2 * v + 1]!);
  const first = Math.floor(Math.min(...rows)) * side;
  const end = Math.ceil(Math.max(...rows)) * side;
  const places: RingPlace[] = [];
  for (const texel of eyeTexels(layout)) {
    if (texel < first || texel >= end) continue;
    const u = (texel % side) + 0.5 - centreX;
    const v = Math.floor(texel / side) + 0.5 - centreY;
    const distance = Math.hypot((e * u - b * v) / det, (a * v - d * u) / det) / eye.radius;
    if (distance < RING_OUTER.to) places.push({ texel, distance });
  }
  return places;
}

/**
 * Lists the texels of one iris's ring in the atlas of a face. The list is empty if the eye is too
 * shut.
 */
function ringTexels(layout: AtlasLayout, mesh: Float32Array, shape: (typeof EYES)[number]): number[] {
  if (eyeOf(mesh, shape).opening < MEASURED_OPENING) return [];
  return irisPlaces(layout, mesh, shape)
    .filter(({ distance }) => distance > RING_INNER.to && distance < RING_OUTER.from)
    .map(({ texel }) => texel)
    .filter((texel) => layout.softEyes[texel]! > RING_DEPTH);
}

/** Lists the texels of the rings of both irises, without eyes that are too shut. */
export function irisTexels(layout: AtlasLayout, mesh: Float32Array): number[] {
  return EYES.flatMap((eye) => ringTexels(layout, mesh, eye));
}

/**
 * Averages the colour of texels of an atlas without reflections, because a reflected window would
 * make a brown eye grey. Returns null for no texels.
 */
export function meanColour({ luma, blue, red }: Atlas, texels: readonly number[]): IrisColour | null {
  if (texels.length === 0) return null;
  const lumas = texels.map((texel) => luma[texel]!).sort((a, b) => a - b);
  // The darkest quarter is iris in any eye, although reflections may cover more than half of the
  // iris.
  const dark = lumas[lumas.length >> 2]!;
  const sum = [0, 0, 0] as [number, number, number];
  let total = 0;
  for (const texel of texels) {
    const weight = 1 - ramp(GLINT_LUMA, luma[texel]! - dark);
    sum[0] += weight * luma[texel]!;
    sum[1] += weight * blue[texel]!;
    sum[2] += weight * red[texel]!;
    total += weight;
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}

/**
 * Limits the luma of an iris seen through glasses, because their shade makes any iris look black.
 * @param own the target's irises
 */
export function likelyColour([luma, blue, red]: IrisColour, own: IrisColour): IrisColour {
  return [clamp(luma, own[0] / MAX_GUESSED_CONTRAST, own[0] * MAX_GUESSED_CONTRAST), blue, red];
}
