import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { SkinModel } from '../skin/skin-model.ts';

/** Where frames run, in the atlas's height. */
const TOP = 0.24;
const BOTTOM = 0.55;
/** A rim, or a bridge between two, is at most twice this thick, as a fraction of the side. */
const THICKNESS = 1 / 36;
/** Darker than what is on both sides of it by these shares: surely a rim where it goes on from one; maybe one. */
const DARK_ONSET = 0.35;
const DARK_FULL = 0.6;
const MAYBE_ONSET = 0.12;
/** Otherwise than the skin that is expected by these shares: metal, glare and broad frames. */
const OTHER_ONSET = 0.15;
const OTHER_FULL = 0.3;
/** Above the bridge there are furrows between the brows, in the atlas's height. */
const FURROWS_END = 0.295;
const BRIDGE_FROM = 0.315;
const SEED = 0.5;
const FOLLOWED = 0.3;
/** Fewer texels than the square of this share of the side are no part of a frame: creases beside the nose, hair. */
const SPECK = 1 / 32;
/** As much as `findFrames` lets a target's grow. */
const GROWTH = 1 / 170;
const GROWN_ONSET = 0.1;
const GROWN_FULL = 0.45;

/**
 * Completes a target's frames (0..1, the atlas's size), in place: from what was found for sure, dark thin lines are followed,
 * however brown they are, to the bridge over the nose and down its sides. What is as bright as skin between dark rims, and
 * specks, are taken away.
 */
export function completeFrames(
  frames: Float32Array,
  atlas: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
): void {
  const { side } = atlas;
  const top = Math.floor(TOP * side);
  const band = frames.subarray(top * side, Math.ceil(BOTTOM * side) * side);
  const rim = new Float32Array(band.length);
  const foreign = new Float32Array(band.length);
  findRims(atlas, layout, model, top, rim, foreign);
  const followed = new Float32Array(band.length);
  const cells = new Int32Array(band.length);
  for (let k = 0; k < band.length; k++) {
    if (rim[k]! >= SEED && band[k]! >= SEED && followed[k] === 0)
      follow(rim, FOLLOWED, k, side, followed, cells);
  }
  const all = new Float32Array(band.length);
  for (let k = 0; k < band.length; k++) all[k] = Math.max(band[k]!, followed[k]!);
  const seen = new Float32Array(band.length);
  for (let k = 0; k < band.length; k++) {
    if (all[k]! < GROWN_ONSET || seen[k] !== 0) continue;
    const count = follow(all, GROWN_ONSET, k, side, seen, cells);
    if (count >= (SPECK * side) ** 2) continue;
    for (let c = 0; c < count; c++) {
      foreign[cells[c]!] = 0;
      followed[cells[c]!] = 0;
    }
  }
  const rows = band.length / side;
  const radius = Math.max(1, Math.round(side * GROWTH));
  boxBlur(foreign, side, rows, radius, 2);
  boxBlur(followed, side, rows, radius, 2);
  for (let k = 0; k < band.length; k++) {
    const kept = band[k]! * smoothstep(GROWN_ONSET, GROWN_FULL, foreign[k]!);
    band[k] = Math.max(kept, smoothstep(GROWN_ONSET, GROWN_FULL, followed[k]!));
  }
}

/** Of the rows from `top` on: where dark thin lines are (`rim`) and where anything but bare skin may be (`foreign`), 0..1. */
function findRims(
  { side, luma }: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  top: number,
  rim: Float32Array,
  foreign: Float32Array,
): void {
  const around = luma.slice(top * side, top * side + rim.length);
  const rows = rim.length / side;
  const radius = Math.round(THICKNESS * side);
  spreadMost(around, side, rows, radius, 1);
  spreadMost(around, side, rows, radius, -1);
  const expected = new Float32Array(side);
  const { glassesZone, lids, browsSoft } = layout;
  for (let y = 0, k = 0, i = top * side; y < rows; y++) {
    enlargedRow(model.luma, COARSE_SIDE, side / COARSE_SIDE, top + y, expected);
    const below = smoothstep(FURROWS_END, BRIDGE_FROM, (top + y + 0.5) / side);
    for (let x = 0; x < side; x++, k++, i++) {
      if (glassesZone[i] === 0) continue;
      const darker = (around[k]! - luma[i]!) / (around[k]! + 8);
      const other = Math.abs(luma[i]! - expected[x]!) / (expected[x]! + 8);
      const open = glassesZone[i]! * (1 - lids[i]!) * (1 - browsSoft[i]!);
      rim[k] = open * below * smoothstep(DARK_ONSET, DARK_FULL, darker);
      foreign[k] = Math.max(
        smoothstep(MAYBE_ONSET, DARK_ONSET, darker),
        smoothstep(OTHER_ONSET, OTHER_FULL, other),
      );
    }
  }
}

/**
 * Copies what hangs together with the cell `start` in `lead`, down to `least`, to `reached`.
 *
 * @returns how many cells that are: the first ones in `cells`
 */
function follow(
  lead: Float32Array,
  least: number,
  start: number,
  width: number,
  reached: Float32Array,
  cells: Int32Array,
): number {
  cells[0] = start;
  reached[start] = lead[start]!;
  let count = 1;
  for (let head = 0; head < count; head++) {
    const cell = cells[head]!;
    for (let way = 0; way < 4; way++) {
      const next = cell + (way === 0 ? -1 : way === 1 ? 1 : way === 2 ? -width : width);
      if (next < 0 || next >= lead.length || reached[next] !== 0 || lead[next]! < least) continue;
      reached[next] = lead[next]!;
      cells[count++] = next;
    }
  }
  return count;
}

/** Each value becomes the largest (`sign` 1) or smallest (-1) of the square of this radius around it. In place. */
function spreadMost(plane: Float32Array, width: number, height: number, radius: number, sign: number): void {
  const line = new Float32Array(Math.max(width, height) + 2 * radius);
  for (let y = 0; y < height; y++) mostAlong(plane, y * width, 1, width, radius, sign, line);
  for (let x = 0; x < width; x++) mostAlong(plane, x, width, height, radius, sign, line);
}

/** The same along one line, by windows that double. */
function mostAlong(
  plane: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
  sign: number,
  line: Float32Array,
): void {
  const length = count + 2 * radius;
  line.fill(-Infinity, 0, length);
  for (let k = 0; k < count; k++) line[radius + k] = sign * plane[start + k * step]!;
  const window = 2 * radius + 1;
  let wide = 1;
  for (; 2 * wide <= window; wide *= 2) {
    for (let k = 0; k + wide < length; k++) if (line[k + wide]! > line[k]!) line[k] = line[k + wide]!;
  }
  for (let k = 0; k < count; k++) {
    const last = line[k + window - wide]!;
    plane[start + k * step] = sign * (line[k]! > last ? line[k]! : last);
  }
}
