import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';

/** Where a lens may end: distances from the middle of the eye, in the atlas's width, as all below. */
const NEAREST = 0.055;
const FARTHEST = 0.17;
/** No lens reaches over the middle of the nose. */
const RIDGE = 0.012;
const RAYS = 192;
/** Half the width of the nose where the bridge crosses it, and between which heights. */
const BRIDGE_HALF = 0.045;
const BRIDGE_TOP = 0.28;
const BRIDGE_BOTTOM = 0.46;
/** Where the skin beside a line is looked at, from the line; a rim is a little thinner. */
const BESIDE = [0.012, 0.02] as const;
/** What a line is darker than both of its sides, in shares; more tells nothing more. */
const MOST = 0.3;
/** A path may turn aside by one cell at each step, at the price of so much of a line. */
const TURN_COST = 0.03;
/** A bare nose is crossed by no line: 0.1 at most, 0.13 furrowed in hard sun, thin frames show 0.15 to 0.3. */
const BRIDGE_ONSET = 0.13;
const BRIDGE_FULL = 0.18;
/** Of a lens the lower half tells, brows follow the upper one; of a path around it so much must be seen; eye sockets are narrower. */
const LOWER = [0.06, 0.1] as const;
const SEEN = [0.5, 0.65] as const;
const RADIUS = [0.085, 0.1] as const;
const LINE = 0.06;
/** Drawn is what shows a line, as wide as thin rims are; and where frames are found already for this share of it, nothing. */
const DRAWN = [0.03, 0.07] as const;
const THICK = 0.012;
const FOUND = 0.5;

/** Redness as a plane in which colourless rims are as dark on skin as dark ones are in luma. */
const NO_RED = 128;
const RED_SCALE = 4;
/** Pale frames may be broad: they go on from their line over what is nearly as colourless, so far. */
const BROAD = 0.06;
const ALIKE = 0.35;
const BURNT = 240;

/** Rims are followed in an atlas of this side at most. */
const TRACED_SIDE = 256;

/** Where lines are looked for: `dark + scale * plane` is to be read as luma is. */
interface Picture {
  readonly plane: Float32Array;
  readonly side: number;
  readonly dark: number;
  readonly scale: number;
}

/** A strip of the atlas, row by row across it: where each row begins and which way it runs, in texels. */
interface Strip {
  readonly rows: number;
  readonly cells: number;
  readonly from: Float32Array;
  readonly along: Float32Array;
  /** A path ends where it began. */
  readonly isClosed: boolean;
}

/** The way through a strip along which most of a dark line is seen: one cell of each row. */
interface Path {
  /** x, y of each, texels. */
  readonly points: Float32Array;
  /** How dark a line it is there, 0..`MOST`. */
  readonly lines: Float32Array;
}

const strips = perLayout(({ side, points }) => {
  const around = ([one, other]: readonly [number, number]): Strip => {
    const from = new Float32Array(2 * RAYS);
    const along = new Float32Array(2 * RAYS);
    for (let t = 0; t < RAYS; t++) {
      along[2 * t] = Math.cos((2 * Math.PI * t) / RAYS);
      along[2 * t + 1] = Math.sin((2 * Math.PI * t) / RAYS);
      for (let k = 0; k < 2; k++)
        from[2 * t + k] =
          (points[2 * one + k]! + points[2 * other + k]!) / 2 + NEAREST * side * along[2 * t + k]!;
    }
    return { rows: RAYS, cells: Math.round((FARTHEST - NEAREST) * side), from, along, isClosed: true };
  };
  const columns = Math.round(2 * BRIDGE_HALF * side);
  const from = new Float32Array(2 * columns);
  const along = new Float32Array(2 * columns);
  for (let t = 0; t < columns; t++) {
    from[2 * t] = (0.5 - BRIDGE_HALF) * side + t;
    from[2 * t + 1] = BRIDGE_TOP * side;
    along[2 * t + 1] = 1;
  }
  const cells = Math.round((BRIDGE_BOTTOM - BRIDGE_TOP) * side);
  const bridge: Strip = { rows: columns, cells, from, along, isClosed: false };
  return { bridge, lenses: [around(EYES[0].corners), around(EYES[1].corners)] as const };
});

/**
 * Traces thin, soft or pale rims of the glasses that a face wears, 0..1, of the atlas's size: the
 * closed ways around both eyes, and the one over the nose, along which most of a line is seen
 * (dynamic programming) that is darker than skin, or else less red.
 * @param found the frames that were found already
 * @returns null where these are most of it
 */
export function traceRims(
  atlas: Atlas,
  layouts: (side: number) => AtlasLayout,
  found: Float32Array,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array | null {
  const side = Math.min(atlas.side, TRACED_SIDE);
  const layout = layouts(side);
  const luma = inSide(atlas.luma, atlas.side, side, make);
  const dark = traceLines({ plane: luma, side, dark: 0, scale: 1 }, layout);
  const plane = inSide(atlas.red, atlas.side, side, make);
  const pale = dark.sure > 0 ? null : traceLines({ plane, side, dark: NO_RED, scale: RED_SCALE }, layout);
  const isPale = pale !== null && pale.sure > 0;
  const { paths } = isPale ? pale : dark;
  if (!isPale && shareFound(paths, inSide(found, atlas.side, side, make), side) > FOUND) return null;
  const rims = new Float32Array(side * side);
  for (const path of paths) drawPath(path, side, rims);
  boxBlur(rims, side, side, Math.max(1, Math.round((side * THICK) / 4)), 1);
  if (isPale) spread(rims, plane, luma, layout);
  return side === atlas.side ? rims : enlargeSquare(rims, side, atlas.side / side);
}

function inSide(plane: Float32Array, from: number, side: number, make: PlaneMaker): Float32Array {
  return from === side ? plane : shrinkSquare(plane, from, side, make.uninitialised(side * side));
}

/** Traces the rims in one picture, in which they are dark lines, and how surely they are rims. */
function traceLines(
  picture: Picture,
  layout: AtlasLayout,
): { readonly paths: Path[]; readonly sure: number } {
  const { bridge, lenses } = strips(layout);
  const across = tracePath(picture, bridge);
  const paths = lenses.map((lens) => tracePath(picture, lens));
  const around = Math.min(...paths.map((path, k) => lensSure(path, picture.side, lenses[k]!)));
  const sure = around * smoothstep(BRIDGE_ONSET, BRIDGE_FULL, meanOf(across.lines));
  return { paths: [...paths, across], sure };
}

/** How surely a path around an eye is a lens's rim, 0..1. */
function lensSure({ points, lines }: Path, side: number, { from, along }: Strip): number {
  let lower = 0;
  let lowers = 0;
  let seen = 0;
  let radius = NEAREST;
  for (let t = 0; t < RAYS; t++) {
    radius += Math.hypot(points[2 * t]! - from[2 * t]!, points[2 * t + 1]! - from[2 * t + 1]!) / side / RAYS;
    if (lines[t]! > LINE) seen += 1 / RAYS;
    if (along[2 * t + 1]! < 0.2) continue;
    lower += lines[t]!;
    lowers += 1;
  }
  return (
    smoothstep(LOWER[0], LOWER[1], lower / lowers) *
    smoothstep(SEEN[0], SEEN[1], seen) *
    smoothstep(RADIUS[0], RADIUS[1], radius)
  );
}

function tracePath(picture: Picture, strip: Strip): Path {
  const { rows, cells, from, along, isClosed } = strip;
  const lines = new Float32Array(rows * cells);
  for (let t = 0; t < rows; t++) readRow(picture, strip, t, lines);
  // Followed round twice, a closed path knows the second time where it came from.
  const turns = isClosed ? 2 : 1;
  const came = new Int8Array(turns * rows * cells);
  let before = new Float32Array(cells);
  let now = new Float32Array(cells);
  for (let t = 0; t < turns * rows; t++) {
    const at = (t % rows) * cells;
    bestSums(before, lines.subarray(at, at + cells), now, came.subarray(t * cells, (t + 1) * cells));
    [before, now] = [now, before];
  }
  const path = { points: new Float32Array(2 * rows), lines: new Float32Array(rows) };
  let cell = before.indexOf(before.reduce((most, sum) => Math.max(most, sum)));
  for (let t = turns * rows - 1; t >= (turns - 1) * rows; t--) {
    const row = t % rows;
    path.points[2 * row] = from[2 * row]! + cell * along[2 * row]!;
    path.points[2 * row + 1] = from[2 * row + 1]! + cell * along[2 * row + 1]!;
    path.lines[row] = Math.max(0, lines[row * cells + cell]!);
    cell += came[t * cells + cell]!;
  }
  return path;
}

/** The best sums as far as the next row, and from which cell, relative to its own, each came. */
function bestSums(before: Float32Array, lines: Float32Array, now: Float32Array, came: Int8Array): void {
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
    now[c] = best + lines[c]!;
    came[c] = turn;
  }
}

/** Writes how dark a line across it each cell of a row shows; of a lens's beyond the nose's middle -1. */
function readRow(
  { plane, side, dark, scale }: Picture,
  { cells, from, along, isClosed }: Strip,
  row: number,
  lines: Float32Array,
): void {
  const dx = along[2 * row]!;
  const dy = along[2 * row + 1]!;
  const half = side / 2;
  const isLeft = from[2 * row]! < half;
  for (let c = 0; c < cells; c++) {
    const x = from[2 * row]! + c * dx;
    const y = from[2 * row + 1]! + c * dy;
    if (isClosed && (isLeft ? half - x : x - half) < RIDGE * side) {
      lines[row * cells + c] = -1;
      continue;
    }
    const own = sample(plane, side, x, y);
    let most = 0;
    for (let k = 0; k < BESIDE.length; k++) {
      const d = BESIDE[k]! * side;
      const a = sample(plane, side, x - d * dx, y - d * dy);
      const b = sample(plane, side, x + d * dx, y + d * dy);
      most = Math.max(most, (scale * ((a < b ? a : b) - own)) / (dark + scale * (a > b ? a : b) + 8));
    }
    lines[row * cells + c] = Math.min(MOST, most);
  }
}

/** How much of what the paths show of lines is part of the frames that were found. */
function shareFound(paths: readonly Path[], found: Float32Array, side: number): number {
  let all = 0;
  let known = 0;
  for (const { points, lines } of paths) {
    for (let t = 0; t < lines.length; t++) {
      all += lines[t]!;
      known += lines[t]! * found[Math.round(points[2 * t + 1]!) * side + Math.round(points[2 * t]!)]!;
    }
  }
  return known / all;
}

/** Draws a path where it shows a line. */
function drawPath({ points, lines }: Path, side: number, out: Float32Array): void {
  const reach = Math.round(THICK * side);
  for (let t = 0; t < lines.length; t++) {
    const value = smoothstep(DRAWN[0], DRAWN[1], lines[t]!);
    const left = Math.round(points[2 * t]!);
    const top = Math.round(points[2 * t + 1]!);
    for (let y = top - reach; y <= top + reach; y++)
      for (let x = left - reach; x <= left + reach; x++)
        if ((x - left) ** 2 + (y - top) ** 2 <= reach * reach)
          out[y * side + x] = Math.max(out[y * side + x]!, value);
  }
}

/** Lets drawn rims go on, in place, over what has a `red` more like theirs than like that of the skin around. */
function spread(rims: Float32Array, red: Float32Array, luma: Float32Array, layout: AtlasLayout): void {
  const { side, lids, softEyes } = layout;
  const drawn = rims.reduce((sum, value) => sum + value, 0);
  let own = 0;
  let all = 0;
  let count = 0;
  for (let i = 0; i < rims.length; i++) {
    own += (rims[i]! * red[i]!) / drawn;
    if (red[i]! <= 0) continue;
    all += red[i]!;
    count += 1;
  }
  const limit = own + ALIKE * (all / count - own);
  const queue = new Int32Array(rims.length);
  const steps = new Uint8Array(rims.length);
  let tail = 0;
  for (let i = 0; i < rims.length; i++) if (rims[i]! > 0.5) queue[tail++] = i;
  for (let head = 0; head < tail; head++) {
    const cell = queue[head]!;
    if (steps[cell]! >= BROAD * side) continue;
    for (const next of [cell - 1, cell + 1, cell - side, cell + side]) {
      if (next < 0 || next >= rims.length || rims[next]! > 0.5 || red[next]! > limit) continue;
      // As colourless, and no frames: eyes, and skin that is burnt out.
      if (lids[next]! + softEyes[next]! > 0 || luma[next]! > BURNT) continue;
      rims[next] = 1;
      steps[next] = steps[cell]! + 1;
      queue[tail++] = next;
    }
  }
}

/** Bilinear. */
function sample(plane: Float32Array, side: number, x: number, y: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const i = y0 * side + x0;
  const upper = plane[i]! + (x - x0) * (plane[i + 1]! - plane[i]!);
  const lower = plane[i + side]! + (x - x0) * (plane[i + side + 1]! - plane[i + side]!);
  return upper + (y - y0) * (lower - upper);
}

function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
