import { clamp } from '@guise/kernels/clamp.ts';
import type { GlassesBand } from './glasses-band.ts';
import type { RimPath } from './rim-paths.ts';

/** Least strength of a line that is seen. */
const MIN_SEEN_STRENGTH = 0.045;
/** Share of the strength of a rim's bold parts that its faint ones have at least. */
const SEEN_SHARE = 0.15;
/** Share of a rim's rays that are fainter than its bold parts. */
const BOLD_QUANTILE = 0.75;
/** Share of rays below which what is seen around an eye is no rim. */
const MIN_RIM_SHARE = 0.3;
/** Share below which it is none where no bridge is seen: the face may lie otherwise. */
const MIN_LONE_RIM_SHARE = 0.8;
/** Share of rays on which a bridge is seen at least. */
const MIN_BRIDGE_SHARE = 0.5;
/** Share of a lens's rays on which its rim is seen from which it goes all around. */
const WHOLE_RIM_SHARE = 0.5;
/** Longest gap that is closed in a rim that goes all around, as a share of its rays. */
const WHOLE_GAP_SHARE = 0.16;
/** Longest gap that is closed in any other: a half rim ends. */
const HALF_GAP_SHARE = 0.04;
/** Rays to either side over which a rim is as wide: lines that branch off are none of it. */
const WIDTH_RAYS = 9;
/** Most cells that a rim reaches to one side of its path. */
const MAX_HALF_WIDTH_CELLS = 12;
/** Cells between the two edges of a clear rim that may look like skin. */
const MAX_CLEAR_CELLS = 5;
/** Height above which a second line outside the rim is the brow, sides. */
const BROW_SIDES = 0.34;
/** Distance from the midline up to which such a line is a fold of the nose, sides. */
const NOSE_SIDES = 0.12;
/** Share of a rim's strength from which what is beside its path is part of it. */
const PART_SHARE = 0.4;
/** Least strength of a part of a rim. */
const MIN_PART_STRENGTH = 0.06;
/** Share of lids from which a rim's width cannot be seen for lashes. */
const LID_SHARE = 0.5;

/**
 * Draws the rims of both lenses and the bridge into `kept`, with short gaps closed, as wide as the
 * evidence says.
 * @param evidence, kept planes of the band @param lids of the whole atlas
 */
export function drawRims(
  lenses: readonly RimPath[],
  bridge: RimPath,
  evidence: Float32Array,
  lids: Float32Array,
  band: GlassesBand,
  kept: Float32Array,
): void {
  const isBridged = seenShare(bridge) >= MIN_BRIDGE_SHARE;
  if (isBridged) drawRim(bridge, evidence, lids, band, kept);
  for (const lens of lenses)
    if (seenShare(lens) >= (isBridged ? MIN_RIM_SHARE : MIN_LONE_RIM_SHARE))
      drawRim(lens, evidence, lids, band, kept);
}

function drawRim(
  path: RimPath,
  evidence: Float32Array,
  lids: Float32Array,
  band: GlassesBand,
  kept: Float32Array,
): void {
  const { strip, cells } = path;
  const shown = shownRays(path);
  const inner = halfWidths(path, shown, -1, evidence, lids, band);
  const outer = halfWidths(path, shown, 1, evidence, lids, band);
  for (let ray = 0; ray < strip.rays; ray++) {
    if (shown[ray] === 0) continue;
    const from = Math.max(0, cells[ray]! - inner[ray]!);
    const to = Math.min(strip.cells - 1, cells[ray]! + outer[ray]!);
    for (let cell = from; cell <= to; cell++) stamp(strip.places, ray * strip.cells + cell, band, kept);
  }
}

/** Least strength of a part of this rim that is seen. */
function leastSeen({ strengths }: RimPath): number {
  const bold = strengths.toSorted()[Math.floor(BOLD_QUANTILE * strengths.length)]!;
  return Math.max(MIN_SEEN_STRENGTH, SEEN_SHARE * bold);
}

/** Share of the rays on which a rim is seen. */
function seenShare(path: RimPath): number {
  const least = leastSeen(path);
  return path.strengths.filter((strength) => strength >= least).length / path.strengths.length;
}

/** Marks the rays on which a rim is drawn: where it is seen, and in short gaps between. */
function shownRays(path: RimPath): Uint8Array {
  const { strip, strengths } = path;
  const { rays, isClosed } = strip;
  const least = leastSeen(path);
  const shown = Uint8Array.from(strengths, (strength) => (strength >= least ? 1 : 0));
  const longest = rays * (seenShare(path) >= WHOLE_RIM_SHARE ? WHOLE_GAP_SHARE : HALF_GAP_SHARE);
  let last = -1;
  for (let k = 0; k < (isClosed ? 2 * rays : rays); k++) {
    if (strengths[k % rays]! < least) continue;
    if (last >= 0 && k - last <= longest) for (let gap = last + 1; gap < k; gap++) shown[gap % rays] = 1;
    last = k;
  }
  return shown;
}

/** Measures how many cells the rim reaches inwards (-1) or outwards (1) of its path on each ray. */
function halfWidths(
  { strip: { rays, cells: count, places, isClosed }, cells, strengths }: RimPath,
  shown: Uint8Array,
  way: 1 | -1,
  evidence: Float32Array,
  lids: Float32Array,
  { side, top, rows }: GlassesBand,
): Uint8Array {
  const usual = usualAround(strengths, shown, isClosed);
  const own = new Uint8Array(rays);
  const open = shown.slice();
  for (let ray = 0; ray < rays; ray++) {
    const x = places[2 * (ray * count + cells[ray]!)]!;
    const y = places[2 * (ray * count + cells[ray]!) + 1]!;
    if (lids[Math.round(y) * side + Math.round(x)]! >= LID_SHARE) open[ray] = 0;
    const isBesideLines = y < BROW_SIDES * side || Math.abs(x - side / 2) < NOSE_SIDES * side;
    const gap = way > 0 && isBesideLines ? 1 : MAX_CLEAR_CELLS;
    const least = Math.max(MIN_PART_STRENGTH, PART_SHARE * usual[ray]!);
    for (let step = 1; step <= MAX_HALF_WIDTH_CELLS && step - own[ray]! <= gap; step++) {
      const cell = cells[ray]! + way * step;
      if (cell < 0 || cell >= count) break;
      const place = 2 * (ray * count + cell);
      const row = clamp(Math.round(places[place + 1]!) - top, 0, rows - 1);
      const column = clamp(Math.round(places[place]!), 0, side - 1);
      if (evidence[row * side + column]! >= least) own[ray] = step;
    }
  }
  return usualAround(own, open, isClosed);
}

/** Takes the median over the rays around each of which it counts; 0 where none does. */
function usualAround<Values extends Uint8Array | Float32Array>(
  values: Values,
  counts: Uint8Array,
  isClosed: boolean,
): Values {
  const rays = values.length;
  return values.map((_, ray) => {
    const near: number[] = [];
    for (let d = -WIDTH_RAYS; d <= WIDTH_RAYS; d++) {
      const at = isClosed ? (ray + d + rays) % rays : clamp(ray + d, 0, rays - 1);
      if (counts[at] === 1) near.push(values[at]!);
    }
    return near.sort((a, b) => a - b)[near.length >> 1] ?? 0;
  }) as Values;
}

/** Marks the texels around a cell's place: rays lie up to two texels apart. */
function stamp(
  places: Float32Array,
  cell: number,
  { side, top, rows }: GlassesBand,
  kept: Float32Array,
): void {
  const x0 = places[2 * cell]!;
  const y0 = places[2 * cell + 1]! - top;
  for (let y = Math.max(0, Math.floor(y0)); y <= Math.min(rows - 1, Math.ceil(y0)); y++)
    for (let x = Math.max(0, Math.floor(x0)); x <= Math.min(side - 1, Math.ceil(x0)); x++)
      kept[y * side + x] = 1;
}
