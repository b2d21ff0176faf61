import { fillPolygon } from '@guise/kernels/polygon.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { medianOf } from '../skin/skin-model.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { GlassesBand } from './glasses-band.ts';
import type { RimStrip } from './rim-strips.ts';
import { rimStrips } from './rim-strips.ts';
import { rimWorth } from './rim-worth.ts';

/** The way through a strip along which most of a line is seen. */
export interface RimPath {
  readonly strip: RimStrip;
  /** The cell of each ray that it leads over. */
  readonly cells: Uint8Array;
  /** Strength of the line there. */
  readonly strengths: Float32Array;
}

type Lenses<Of> = readonly [right: Of, left: Of];

/** Price of a step aside of one cell, in worth of a line. */
const TURN_COST = 0.05;
/** Share by which a line on the other lens, in the mirror, speaks for one here. */
const MIRROR_SHARE = 0.35;
/** Cells by which the rims of the two lenses may differ. */
const MIRROR_REACH_CELLS = 2;
/** Share of that which each cell of difference takes. */
const MIRROR_LOSS = 0.1;
/** Strength of the lower rims over which they are bolder than lashes and folds. */
const BOLD_STRENGTH: Ramp = { from: 0.45, to: 0.55 };

/**
 * Traces the rims of both lenses and the bridge between them along the lines of a band: by shortest
 * paths, of which a lens's is closed.
 */
export function tracePaths(
  lines: Float32Array,
  band: GlassesBand,
  layout: AtlasLayout,
): { readonly lenses: Lenses<RimPath>; readonly bridge: RimPath } {
  const clear = traceLenses(lines, band, layout, 0);
  const bold = ramp(BOLD_STRENGTH, (lowerStrength(clear[0]) + lowerStrength(clear[1])) / 2);
  const { bridge } = rimStrips(layout);
  const { worth, strengths } = rimWorth(lines, band, layout, bridge, 0);
  return {
    lenses: bold > 0 ? traceLenses(lines, band, layout, bold) : clear,
    bridge: tracePath(bridge, worth, strengths),
  };
}

/** Marks what of a band lies behind the lenses: inside the paths around them. */
export function insideOf(lenses: Lenses<RimPath>, { side, top, rows }: GlassesBand): Float32Array {
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

function traceLenses(
  lines: Float32Array,
  band: GlassesBand,
  layout: AtlasLayout,
  bold: number,
): Lenses<RimPath> {
  const [right, left] = rimStrips(layout).lenses;
  const one = rimWorth(lines, band, layout, right, bold);
  const other = rimWorth(lines, band, layout, left, bold);
  return [
    tracePath(right, withMirror(one.worth, other.worth, right.cells), one.strengths),
    tracePath(left, withMirror(other.worth, one.worth, left.cells), other.strengths),
  ];
}

/** Median strength of a rim's lower half, where no brow or lash is taken for it. */
function lowerStrength({ strip: { rays }, strengths }: RimPath): number {
  return medianOf(strengths.subarray(rays / 16, (7 * rays) / 16));
}

/** Adds to each cell's worth a share of what the other lens shows near its mirror image. */
function withMirror(own: Float32Array, other: Float32Array, cells: number): Float32Array {
  const out = own.slice();
  for (let at = 0; at < own.length; at += cells) {
    for (let cell = 0; cell < cells; cell++) {
      let most = 0;
      const end = Math.min(cells - 1, cell + MIRROR_REACH_CELLS);
      for (let near = Math.max(0, cell - MIRROR_REACH_CELLS); near <= end; near++)
        most = Math.max(most, (1 - MIRROR_LOSS * Math.abs(near - cell)) * other[at + near]!);
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

/** Sums up the best ways as far as the next ray, and notes how many cells aside each came from. */
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
