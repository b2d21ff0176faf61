import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';
import type { GlassesBand } from './line-strength.ts';

/** Half-axes of the smallest lens that is looked for, around its middle, sides. */
const MIN_LENS = { x: 0.075, y: 0.045 };
/** Half-axes of the largest lens, sides. */
const MAX_LENS = { x: 0.175, y: 0.17 };
/** How far below the middle of the eye the middle of a lens lies, sides. */
const LENS_DROP_SIDES = 0.012;
/** No lens comes nearer to the middle of the nose, sides. */
const RIDGE_SIDES = 0.012;
/** Rays around a lens. */
const RAYS = 160;
/** Cells along each ray. */
const CELLS = 44;
/** Price of a step aside of one cell, in worth of a line. */
const TURN_COST = 0.07;
/** Strength at which a line has half its most worth: else one glaring spot would bend the whole path. */
const HALF_WORTH_STRENGTH = 0.2;
/** Share by which a line on the lids counts: lashes and folds are lines as well. */
const LID_SHARE = 0.35;
/** Share by which a line on a brow counts: hairs are lines as well. */
const BROW_SHARE = 0.6;
/** Share by which a line on the other lens, in the mirror, speaks for one here. */
const MIRROR_SHARE = 0.5;
/** Cells by which the two lenses may differ. */
const MIRROR_REACH_CELLS = 2;

/** Worth of cells that no path may lead over. */
const BARRED = -1;

/** Places in the atlas at which a path is looked for, ray by ray. */
interface Strip {
  readonly rays: number;
  readonly cells: number;
  /** Texel x, y of each cell. */
  readonly places: Float32Array;
  readonly isClosed: boolean;
}

/** The way through a strip along which most of a line is seen: one place of each ray. */
export interface RimPath {
  /** x, y of each, texels of the atlas. */
  readonly points: Float32Array;
  /** Strength of the line there. */
  readonly strengths: Float32Array;
  readonly isClosed: boolean;
}

/** Half the width of the nose that the bridge is followed over, sides. */
const BRIDGE_HALF_SIDES = 0.05;
/** Heights between which the bridge runs, sides. */
const BRIDGE_TOP_SIDES = 0.28;
const BRIDGE_BOTTOM_SIDES = 0.45;

const strips = perLayout((layout: AtlasLayout) => ({
  lenses: [lensStrip(layout, 0), lensStrip(layout, 1)] as const,
  bridge: bridgeStrip(layout.side),
}));

/** The left lens's rays turn the other way round, so that both lenses' rays are each other's mirror images. */
function lensStrip({ side, points }: AtlasLayout, eye: 0 | 1): Strip {
  const [one, other] = EYES[eye].corners;
  const x = (points[2 * one]! + points[2 * other]!) / 2;
  const y = (points[2 * one + 1]! + points[2 * other + 1]!) / 2 + LENS_DROP_SIDES * side;
  const outwards = eye === 0 ? -1 : 1;
  const places = new Float32Array(2 * RAYS * CELLS);
  for (let ray = 0, at = 0; ray < RAYS; ray++) {
    const dx = Math.cos((2 * Math.PI * ray) / RAYS);
    const dy = Math.sin((2 * Math.PI * ray) / RAYS);
    const from = side / Math.hypot(dx / MIN_LENS.x, dy / MIN_LENS.y);
    const to = side / ((Math.abs(dx) / MAX_LENS.x) ** 3 + (Math.abs(dy) / MAX_LENS.y) ** 3) ** (1 / 3);
    for (let cell = 0; cell < CELLS; cell++, at += 2) {
      const reach = from + ((to - from) * cell) / (CELLS - 1);
      places[at] = x + outwards * reach * dx;
      places[at + 1] = y + reach * dy;
    }
  }
  return { rays: RAYS, cells: CELLS, places, isClosed: true };
}

function bridgeStrip(side: number): Strip {
  const rays = Math.round(2 * BRIDGE_HALF_SIDES * side);
  const cells = Math.round((BRIDGE_BOTTOM_SIDES - BRIDGE_TOP_SIDES) * side);
  const places = new Float32Array(2 * rays * cells);
  for (let ray = 0, at = 0; ray < rays; ray++) {
    for (let cell = 0; cell < cells; cell++, at += 2) {
      places[at] = (0.5 - BRIDGE_HALF_SIDES) * side + ray;
      places[at + 1] = BRIDGE_TOP_SIDES * side + cell;
    }
  }
  return { rays, cells, places, isClosed: false };
}

/** What the cells of a strip show. */
interface ReadStrip {
  /** Strength of the line that each cell lies on. */
  readonly strengths: Float32Array;
  /** What a path gains by leading over each cell. */
  readonly worth: Float32Array;
}

/** Traces both lenses' rims and the bridge over the nose along the lines of a band. */
export function tracePaths(
  lines: Float32Array,
  band: GlassesBand,
  layout: AtlasLayout,
): { readonly lenses: readonly [RimPath, RimPath]; readonly bridge: RimPath } {
  const { lenses, bridge } = strips(layout);
  const one = readStrip(lines, band, layout, lenses[0]);
  const other = readStrip(lines, band, layout, lenses[1]);
  const across = readStrip(lines, band, layout, bridge);
  return {
    lenses: [
      tracePath(lenses[0], withMirror(one.worth, other.worth), one.strengths),
      tracePath(lenses[1], withMirror(other.worth, one.worth), other.strengths),
    ],
    bridge: tracePath(bridge, across.worth, across.strengths),
  };
}

function readStrip(
  lines: Float32Array,
  { side, top, rows }: GlassesBand,
  { lids, browsSoft }: AtlasLayout,
  { places, isClosed }: Strip,
): ReadStrip {
  const strengths = new Float32Array(places.length / 2);
  const worth = new Float32Array(strengths.length);
  const isRight = places[0]! > side / 2;
  for (let k = 0; k < strengths.length; k++) {
    const x = places[2 * k]!;
    const y = places[2 * k + 1]!;
    if (isClosed && (isRight ? x - side / 2 : side / 2 - x) < RIDGE_SIDES * side) {
      worth[k] = BARRED;
      continue;
    }
    const row = Math.round(y) - top;
    const column = Math.round(x);
    if (row < 0 || row >= rows || column < 0 || column >= side) continue;
    const strength = lines[row * side + column]!;
    const texel = (row + top) * side + column;
    const share = (1 - (1 - LID_SHARE) * lids[texel]!) * (1 - (1 - BROW_SHARE) * browsSoft[texel]!);
    strengths[k] = strength;
    worth[k] = (share * strength) / (strength + HALF_WORTH_STRENGTH);
  }
  return { strengths, worth };
}

function withMirror(own: Float32Array, other: Float32Array): Float32Array {
  const out = own.slice();
  for (let at = 0; at < own.length; at += CELLS) {
    for (let cell = 0; cell < CELLS; cell++) {
      let most = 0;
      const end = Math.min(CELLS - 1, cell + MIRROR_REACH_CELLS);
      for (let near = Math.max(0, cell - MIRROR_REACH_CELLS); near <= end; near++)
        most = Math.max(most, other[at + near]!);
      out[at + cell]! += MIRROR_SHARE * most;
    }
  }
  return out;
}

function tracePath({ rays, cells, places, isClosed }: Strip, worth: Float32Array, lines: Float32Array): RimPath {
  // Followed round twice, a closed path knows the second time where it came from.
  const turns = isClosed ? 2 : 1;
  const came = new Int8Array(turns * rays * cells);
  let before = new Float32Array(cells);
  let now = new Float32Array(cells);
  for (let t = 0; t < turns * rays; t++) {
    const at = (t % rays) * cells;
    bestSums(before, worth.subarray(at, at + cells), now, came.subarray(t * cells, (t + 1) * cells));
    [before, now] = [now, before];
  }
  const points = new Float32Array(2 * rays);
  const strengths = new Float32Array(rays);
  let cell = before.indexOf(before.reduce((most, sum) => Math.max(most, sum)));
  for (let t = turns * rays - 1; t >= (turns - 1) * rays; t--) {
    const ray = t % rays;
    const at = ray * cells + cell;
    points[2 * ray] = places[2 * at]!;
    points[2 * ray + 1] = places[2 * at + 1]!;
    strengths[ray] = Math.max(0, lines[at]!);
    cell += came[t * cells + cell]!;
  }
  return { points, strengths, isClosed };
}

/** The best sums as far as the next ray, and from which cell, relative to its own, each came. */
function bestSums(before: Float32Array, worth: Float32Array, now: Float32Array, came: Int8Array): void {
  for (let c = 0; c < now.length; c++) {
    let best = before[c]!;
    let turn = 0;
    if (c > 0 && before[c - 1]! - TURN_COST > best) {
      best = before[c - 1]! - TURN_COST;
      turn = -1;
    }
    if (c + 1 < now.length && before[c + 1]! - TURN_COST > best) {
      best = before[c + 1]! - TURN_COST;
      turn = 1;
    }
    now[c] = best + worth[c]!;
    came[c] = turn;
  }
}
