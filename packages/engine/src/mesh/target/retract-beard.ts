import { clamp } from '@guise/kernels/clamp.ts';
import { cropImage } from '@guise/kernels/crop-image.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import { type Colour, meanColour } from '../front/mean-colour.ts';
import { landmarkDistance } from '../../face/geometry/landmark-distance.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { CHIN, FACE_OVAL, TOP, UPPER_LIP } from '../uv/face-regions.ts';

/** Vertices of the outline from one ear lobe to the other, by way of the chin. */
const JAW = FACE_OVAL.slice(FACE_OVAL.indexOf(361), FACE_OVAL.indexOf(132) + 1);
/** Least coverage by the beard, just inside the outline, from which it is looked for outside. */
const MIN_COVER = 0.4;
/** Share of the way from the outline to the lip where that coverage is read. */
const INNER_SHARE = 0.12;

// Distances below are shares of the face's height; those inside the outline are negative.
/** Places inside the outline, of which the darkest shows the beard's colour. */
const INSIDE = [-0.05, -0.035, -0.02] as const;
/** Step in which the beard's end is looked for, and the largest distance at which it may be. */
const [STEP, LONGEST] = [0.0075, 0.05] as const;
/** Radius of a looked-at place. */
const PLACE = 0.008;
/** Width inside the outline that is replaced, too: the face's edge is soft. */
const SOFT_EDGE = 0.02;

/** Least differences of a beard and what lies beyond it: share of luma, luma and colour, levels. */
const [OTHER_LUMA_SHARE, OTHER_LUMA, OTHER_COLOUR] = [0.35, 14, 18] as const;
/** Width of the surroundings that are stretched, as a multiple of what they cover. */
const STRETCHED_WIDTH = 3;
/** Largest distance from the outline at which a pixel changes. */
export const RETRACTED_REACH = 0.09;
/** Number of vertices over which a beard's end along the jaw fades. */
const RUN_END = 3;
/** Number of directions around the lip in which distances are kept. */
const DIRECTIONS = 720;

/** Distances from the lip in one direction, pixels. */
interface Ends {
  readonly face: number;
  readonly beard: number;
  /** Where the surroundings are no longer stretched. */
  readonly outer: number;
}

/**
 * Takes away what is left of a shaved beard around the swapped face, in place: stretches the neck
 * and the background over it, up to the face.
 * @param outline 468 or 478 x (x, y, z), pixels: the mesh that the swapped face covers
 * @param cover coverage by the beard, coarse
 */
export function retractBeard(
  image: RgbImage,
  outline: Float32Array,
  cover: Float32Array,
  layout: AtlasGeometry,
): void {
  const height = landmarkDistance(outline, TOP, CHIN);
  const [lipX, lipY] = placeOf(outline, UPPER_LIP);
  const ends = endsAround(image, outline, cover, layout, height);
  const found = ends.filter((end) => end !== undefined);
  if (found.length === 0) return;
  const [nearest, reach] = [
    Math.min(...found.map(({ face }) => face)),
    Math.max(...found.map(({ outer }) => outer)),
  ];
  const left = Math.max(0, Math.floor(lipX - reach));
  const top = Math.max(0, Math.floor(lipY - reach));
  const width = Math.min(image.width, Math.ceil(lipX + reach)) - left;
  const rows = Math.min(image.height, Math.ceil(lipY + reach)) - top;
  if (width < 2 || rows < 2) return;
  const before = cropImage(image, { x: left, y: top, width, height: rows });
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < width; x++) {
      const [right, down] = [left + x + 0.5 - lipX, top + y + 0.5 - lipY];
      const distance = Math.sqrt(right * right + down * down);
      if (distance <= nearest || distance >= reach) continue;
      const end = ends[directionOf(right, down)];
      if (!end || distance <= end.face || distance >= end.outer) continue;
      const stretch = (end.outer - end.beard) / (end.outer - end.face);
      const from = (end.beard + stretch * (distance - end.face)) / distance;
      const at = 3 * ((top + y) * image.width + left + x);
      copyPixel(before, lipX + from * right - left, lipY + from * down - top, image.data, at);
    }
}

/** Returns the ends of face and beard in each direction; undefined where there is no beard. */
function endsAround(
  image: RgbImage,
  outline: Float32Array,
  cover: Float32Array,
  layout: AtlasGeometry,
  height: number,
): (Ends | undefined)[] {
  const lip = placeOf(outline, UPPER_LIP);
  const found = JAW.map((v) => beardBeyond(image, outline, v, cover, layout, height));
  const lengths = steadied(found);
  const shares = found.map((_, k) => shareOfRun(found, k));
  const ends: (Ends | undefined)[] = Array.from({ length: DIRECTIONS });
  for (let k = 0; k + 1 < JAW.length; k++) {
    if (shares[k] === 0 && shares[k + 1] === 0) continue;
    const [from, to] = [placeOf(outline, JAW[k]!), placeOf(outline, JAW[k + 1]!)];
    for (let step = 0; step <= DIRECTIONS; step++) {
      const share = step / DIRECTIONS;
      const right = from[0] + share * (to[0] - from[0]) - lip[0];
      const down = from[1] + share * (to[1] - from[1]) - lip[1];
      const distance = Math.hypot(right, down);
      const length = lengths[k]! + share * (lengths[k + 1]! - lengths[k]!);
      const whole = height * (shares[k]! + share * (shares[k + 1]! - shares[k]!));
      const [face, beard] = [distance - whole * SOFT_EDGE, distance + whole * length];
      const outer = Math.min(face + STRETCHED_WIDTH * (beard - face), distance + RETRACTED_REACH * height);
      ends[directionOf(right, down)] = { face, beard, outer };
    }
  }
  return ends;
}

/** Measures how far a beard goes on beyond a vertex of the outline; 0 if no end is found. */
function beardBeyond(
  image: RgbImage,
  outline: Float32Array,
  v: number,
  cover: Float32Array,
  { points, side }: AtlasGeometry,
  height: number,
): number {
  const [column, row] = [0, 1].map((axis) => {
    const own = points[2 * v + axis]!;
    return Math.floor(((own + INNER_SHARE * (points[2 * UPPER_LIP + axis]! - own)) * COARSE_SIDE) / side);
  });
  if (cover[row! * COARSE_SIDE + column!]! < MIN_COVER) return 0;
  const [x, y] = placeOf(outline, v);
  const [lipX, lipY] = placeOf(outline, UPPER_LIP);
  const scale = height / Math.hypot(x - lipX, y - lipY);
  const colourAt = (distance: number): Colour =>
    meanColour(image, x + distance * scale * (x - lipX), y + distance * scale * (y - lipY), PLACE * height);
  const beard = INSIDE.map(colourAt).sort((a, b) => lumaOf(...a) - lumaOf(...b))[0]!;
  // One other place may be a highlight.
  for (let distance = 0; distance < LONGEST; distance += STEP)
    if (differs(beard, colourAt(distance)) && differs(beard, colourAt(distance + STEP)))
      return distance + STEP / 2;
  return 0;
}

/** Takes single errors from lengths along the jaw. */
function steadied(lengths: readonly number[]): number[] {
  const medians = lengths.map((_, k) => around(lengths, k, 2).sort((a, b) => a - b)[2]!);
  return medians.map((_, k) => around(medians, k, 1).reduce((sum, length) => sum + length / 3, 0));
}

/** Lists a value and its neighbours on both sides. Beyond an end, its value is repeated. */
function around(values: readonly number[], k: number, radius: number): number[] {
  return Array.from(
    { length: 2 * radius + 1 },
    (_, i) => values[clamp(k + i - radius, 0, values.length - 1)]!,
  );
}

/**
 * Returns how far vertex k is inside a run of vertices with a beard, 0..1, so that runs end softly.
 */
function shareOfRun(lengths: readonly number[], k: number): number {
  let inside = 0;
  while (inside < RUN_END && lengths[k - inside]! > 0 && lengths[k + inside]! > 0) inside += 1;
  return inside / RUN_END;
}

function differs(beard: Colour, other: Colour): boolean {
  const [dark, light] = [lumaOf(...beard), lumaOf(...other)];
  const colour = Math.hypot(other[0] - light - beard[0] + dark, other[2] - light - beard[2] + dark);
  return Math.abs(light - dark) > Math.max(OTHER_LUMA, OTHER_LUMA_SHARE * dark) || colour > OTHER_COLOUR;
}

function placeOf(mesh: Float32Array, v: number): readonly [x: number, y: number] {
  return [mesh[3 * v]!, mesh[3 * v + 1]!];
}

function directionOf(right: number, down: number): number {
  return Math.floor((Math.atan2(down, right) / (2 * Math.PI) + 1) * DIRECTIONS) % DIRECTIONS;
}

/** Copies the pixel at (x, y) of an image, mixed from four, to index `at` of another. */
function copyPixel(
  { data: from, width, height }: RgbImage,
  x: number,
  y: number,
  to: Uint8Array,
  at: number,
): void {
  const left = clamp(Math.floor(x - 0.5), 0, width - 2);
  const top = clamp(Math.floor(y - 0.5), 0, height - 2);
  const right = clamp(x - 0.5 - left, 0, 1);
  const down = clamp(y - 0.5 - top, 0, 1);
  const first = 3 * (top * width + left);
  for (let k = first; k < first + 3; k++) {
    const above = from[k]! + right * (from[k + 3]! - from[k]!);
    const below = from[k + 3 * width]! + right * (from[k + 3 * width + 3]! - from[k + 3 * width]!);
    to[at + k - first] = Math.round(above + down * (below - above));
  }
}
