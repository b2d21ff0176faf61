import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { affineToAtlas, eyeOf } from './eye.ts';

/**
 * Distance from the middle of the iris, in its radii, from where the pupil ends to where the
 * coloured ring begins.
 */
export const RING_INNER: Ramp = { from: 0.3, to: 0.5 };
/** Distance, in radii, from where the ring starts to fade out to where it ends. */
export const RING_OUTER: Ramp = { from: 0.85, to: 1.1 };
/** Opening of an eye, in iris diameters, from where its iris is ignored to where it counts. */
export const SEEN_OPENING: Ramp = { from: 0.25, to: 0.5 };
/** Depth in the eye (0.5 at the lids) above which a texel of the ring shows no lash. */
const RING_DEPTH = 0.8;
/** Luma levels above the iris's own, from where a pixel is iris to where it is a reflection. */
export const GLINT_LUMA: Ramp = { from: 25, to: 70 };
/** Share of the way to the source's colour; the rest keeps the lids' shade and target's pattern. */
export const IRIS_COLOUR_SHARE = 0.8;

/** Largest factor between the lumas of the target's irises and of irises seen behind glasses. */
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
  Uint32Array.from(softEyes.keys()).filter((texel) => softEyes[texel]! > 0.5),
);

/** Lists the texels of an eye that its iris may cover, rim included, by the mesh of the face. */
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
  // The texture's scale differs along its axes: each texel is taken back to the image.
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

/** Lists the texels of the ring in the atlas of a face, if the eye is open enough to show one. */
function ringTexels(layout: AtlasLayout, mesh: Float32Array, shape: (typeof EYES)[number]): number[] {
  if (eyeOf(mesh, shape).opening < SEEN_OPENING.to) return [];
  return irisPlaces(layout, mesh, shape)
    .filter(({ distance }) => distance > RING_INNER.to && distance < RING_OUTER.from)
    .map(({ texel }) => texel)
    .filter((texel) => layout.softEyes[texel]! > RING_DEPTH);
}

/** Lists the texels of both irises' rings in the atlas of a face, of each eye that shows one. */
export function irisTexels(layout: AtlasLayout, mesh: Float32Array): number[] {
  return EYES.flatMap((eye) => ringTexels(layout, mesh, eye));
}

/**
 * Averages the colour of some texels of an atlas, without reflections, because a window would make
 * a brown eye grey. Returns null for no texels.
 */
export function meanColour({ luma, blue, red }: Atlas, texels: readonly number[]): IrisColour | null {
  if (texels.length === 0) return null;
  const lumas = texels.map((texel) => luma[texel]!).sort((a, b) => a - b);
  // The dark quarter is iris in any eye; reflections may cover more than half of it.
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
 * Limits a colour that was seen behind glasses, whose shade turns any iris into a black disc.
 * @param own the target's irises
 */
export function likelyColour([luma, blue, red]: IrisColour, own: IrisColour): IrisColour {
  return [clamp(luma, own[0] / MAX_GUESSED_CONTRAST, own[0] * MAX_GUESSED_CONTRAST), blue, red];
}
