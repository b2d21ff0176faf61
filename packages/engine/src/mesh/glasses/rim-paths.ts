import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { fillPolygon } from '@guise/kernels/polygon.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { medianOf } from '../skin/skin-model.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { dilate } from './extreme-filter.ts';
import type { GlassesBand } from './line-strength.ts';
import type { RimStrip } from './rim-strips.ts';
import { rimStrips } from './rim-strips.ts';

/** The way through a strip along which most of a line is seen. */
export interface RimPath {
  readonly strip: RimStrip;
  /** The cell of each ray that it leads over. */
  readonly cells: Uint8Array;
  /** Strength of the line there. */
  readonly strengths: Float32Array;
}

/** Distance from the middle of the nose that no lens comes nearer to, sides. */
const RIDGE_SIDES = 0.012;
/** Price of a step aside of one cell, in worth of a line. */
const TURN_COST = 0.05;
/** Strength of a line of half the most worth: else one glaring spot would bend the whole path. */
const HALF_WORTH_STRENGTH = 0.4;
/** Share by which a line on the lids counts: folds are lines as well. */
const LID_SHARE = { clear: 0.5, bold: 0.8 };
/** Share by which a line along the opening of the eye counts: lashes are as dark as rims. */
const LASH_SHARE = { clear: 0.15, bold: 0.43 };
/** Strength of the lower rims over which rims are bolder than lashes. */
const BOLD: Ramp = { from: 0.45, to: 0.55 };
/** Distance from the opening of the eye up to which there are lashes, sides. */
const LASH_SIDES = 0.012;
/** Share by which a line at the brows' height counts: hairs are lines, and rims run below them. */
const BROW_SHARE = 0.35;
/** Heights from the middle of the brows to below them, sides. */
const BROWS = { from: 0.28, to: 0.325 };
/** Height below which folds lead down beside the nose, sides. */
const FOLD_TOP_SIDES = 0.47;
/** Distance of the fold from the midline at that height, sides, and how much it grows by height. */
const FOLD = { aside: 0.06, slope: 1.2 };
/** Share by which a line there counts. */
const FOLD_SHARE = 0.3;
/** Share by which a line on the other lens, in the mirror, speaks for one here. */
const MIRROR_SHARE = 0.5;
/** Cells by which the rims of the two lenses may differ. */
const MIRROR_REACH_CELLS = 2;
/** Worth of cells that no path may lead over. */
const BARRED = -1;

/** What the cells of a strip show. */
interface ReadStrip {
  /** Strength of the line that each cell lies on. */
  readonly strengths: Float32Array;
  /** What a path gains by leading over each cell. */
  readonly worth: Float32Array;
}

/** Traces the rims of both lenses and the bridge between them along the lines of a band. */
export function tracePaths(
  lines: Float32Array,
  band: GlassesBand,
  layout: AtlasLayout,
): { readonly lenses: readonly [RimPath, RimPath]; readonly bridge: RimPath } {
  const lenses = rimStrips(layout).lenses;
  const clear = traceLenses(lines, band, layout, lenses, 0);
  const bold = ramp(BOLD, (lowerStrength(clear[0]) + lowerStrength(clear[1])) / 2);
  const across = readStrip(lines, band, layout, rimStrips(layout).bridge, 0);
  return {
    lenses: bold > 0 ? traceLenses(lines, band, layout, lenses, bold) : clear,
    bridge: tracePath(rimStrips(layout).bridge, across.worth, across.strengths),
  };
}

function traceLenses(
  lines: Float32Array,
  band: GlassesBand,
  layout: AtlasLayout,
  lenses: readonly [RimStrip, RimStrip],
  bold: number,
): readonly [RimPath, RimPath] {
  const one = readStrip(lines, band, layout, lenses[0], bold);
  const other = readStrip(lines, band, layout, lenses[1], bold);
  return [
    tracePath(lenses[0], withMirror(one.worth, other.worth, lenses[0].cells), one.strengths),
    tracePath(lenses[1], withMirror(other.worth, one.worth, lenses[1].cells), other.strengths),
  ];
}

/** Median strength of a lens's lower half, where no brow or lash is taken for a rim. */
function lowerStrength({ strip: { rays }, strengths }: RimPath): number {
  return medianOf(strengths.subarray(rays / 16, (7 * rays) / 16));
}

/** Where lashes are: the openings of the eyes with a margin. */
const lashesOf = perLayout(({ side, softEyes }: AtlasLayout): Float32Array => {
  const lashes = softEyes.map((value) => Math.min(1, 2 * value));
  dilate(lashes, side, side, Math.max(1, Math.round(LASH_SIDES * side)));
  return lashes;
});

function readStrip(
  lines: Float32Array,
  { side, top, rows }: GlassesBand,
  layout: AtlasLayout,
  { places, isClosed }: RimStrip,
  bold: number,
): ReadStrip {
  const onLid = 1 - LID_SHARE.clear - bold * (LID_SHARE.bold - LID_SHARE.clear);
  const onLash = 1 - LASH_SHARE.clear - bold * (LASH_SHARE.bold - LASH_SHARE.clear);
  const strengths = new Float32Array(places.length / 2);
  const worth = new Float32Array(strengths.length);
  const { lids } = layout;
  const lashes = lashesOf(layout);
  const isRight = places[0]! > side / 2;
  for (let k = 0; k < strengths.length; k++) {
    const x = places[2 * k]!;
    const y = places[2 * k + 1]!;
    if (isClosed && (isRight ? x - side / 2 : side / 2 - x) < RIDGE_SIDES * side) {
      worth[k] = BARRED;
      continue;
    }
    const row = clamp(Math.round(y) - top, 0, rows - 1);
    const column = clamp(Math.round(x), 0, side - 1);
    const strength = lines[row * side + column]!;
    const texel = (row + top) * side + column;
    const lid = 1 - Math.max(onLid * lids[texel]!, onLash * lashes[texel]!);
    const brow = isClosed ? BROW_SHARE + (1 - BROW_SHARE) * smoothstep(BROWS.from, BROWS.to, y / side) : 1;
    const isFold =
      y > FOLD_TOP_SIDES * side &&
      Math.abs(x - side / 2) < FOLD.aside * side + FOLD.slope * (y - FOLD_TOP_SIDES * side);
    strengths[k] = strength;
    worth[k] = ((isFold ? FOLD_SHARE : 1) * lid * brow * strength) / (strength + HALF_WORTH_STRENGTH);
  }
  return { strengths, worth };
}

/** Adds to each cell's worth a share of the most that the other lens shows near its mirror image. */
function withMirror(own: Float32Array, other: Float32Array, cells: number): Float32Array {
  const out = own.slice();
  for (let at = 0; at < own.length; at += cells) {
    for (let cell = 0; cell < cells; cell++) {
      let most = 0;
      const end = Math.min(cells - 1, cell + MIRROR_REACH_CELLS);
      for (let near = Math.max(0, cell - MIRROR_REACH_CELLS); near <= end; near++)
        most = Math.max(most, other[at + near]!);
      out[at + cell]! += MIRROR_SHARE * most;
    }
  }
  return out;
}

/** Finds the path of most worth by dynamic programming, ray after ray. */
function tracePath(strip: RimStrip, worth: Float32Array, strengths: Float32Array): RimPath {
  const { rays, cells, isClosed } = strip;
  // Followed round twice, a closed path knows the second time where it came from.
  const turns = isClosed ? 2 : 1;
  const came = new Int8Array(turns * rays * cells);
  let before = new Float32Array(cells);
  let now = new Float32Array(cells);
  for (let t = 0; t < turns * rays; t++) {
    const at = (t % rays) * cells;
    sumRay(before, worth.subarray(at, at + cells), now, came.subarray(t * cells, (t + 1) * cells));
    [before, now] = [now, before];
  }
  const path = { strip, cells: new Uint8Array(rays), strengths: new Float32Array(rays) };
  let cell = before.indexOf(before.reduce((most, sum) => Math.max(most, sum)));
  for (let t = turns * rays - 1; t >= (turns - 1) * rays; t--) {
    const ray = t % rays;
    path.cells[ray] = cell;
    path.strengths[ray] = strengths[ray * cells + cell]!;
    cell += came[t * cells + cell]!;
  }
  return path;
}

/** Sums up the best ways as far as the next ray, and notes from which cell, relative to its own, each came. */
function sumRay(before: Float32Array, worth: Float32Array, now: Float32Array, came: Int8Array): void {
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

/** Marks what of a band lies behind the lenses: inside the paths around them. */
export function insideOf(lenses: readonly RimPath[], { side, top, rows }: GlassesBand): Float32Array {
  const inside = new Float32Array(rows * side);
  for (const { strip, cells } of lenses) {
    const corners = new Float32Array(2 * strip.rays);
    for (let ray = 0; ray < strip.rays; ray++) {
      const at = 2 * (ray * strip.cells + cells[ray]!);
      corners[2 * ray] = strip.places[at]!;
      corners[2 * ray + 1] = strip.places[at + 1]! - top;
    }
    fillPolygon(inside, side, rows, corners);
  }
  return inside;
}
