import { clamp } from '@guise/kernels/clamp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { GlassesBand } from './line-strength.ts';
import type { RimPath } from './rim-paths.ts';

/** Strength over which a line is seen at all. */
const MIN_SEEN_STRENGTH = 0.045;
/** Share of a rim's bold parts that its faint ones show at least. */
const SEEN_SHARE = 0.15;
/** Share of a lens's rays on which its rim is seen from which the lens has one all around. */
const WHOLE_RIM_SHARE = 0.5;
/** Share of rays below which what is seen around an eye is no rim. */
const MIN_RIM_SHARE = 0.3;
/** Longest gap of a rim that is closed, as a share of its rays: a half rim ends for longer. */
const MAX_GAP_SHARE = 0.16;
/** Rays on either side over which a rim's width is the same: lines that branch off are none of it. */
const WIDTH_RAYS = 9;
/** Most cells that a rim reaches to either side of its path. */
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

/**
 * Draws a traced rim into `kept`, as wide as `evidence` (the strength of the line or frame at each texel
 * of the band) says, and with its short gaps closed.
 */
export function drawRim(path: RimPath, evidence: Float32Array, band: GlassesBand, { lids }: AtlasLayout, kept: Float32Array): void {
  const { strip, cells } = path;
  const shown = shownRays(path);
  const inner = widths(path, evidence, band, -1, shown, lids);
  const outer = widths(path, evidence, band, 1, shown, lids);
  for (let ray = 0; ray < strip.rays; ray++) {
    if (shown[ray] === 0) continue;
    const from = Math.max(0, cells[ray]! - inner[ray]!);
    const to = Math.min(strip.cells - 1, cells[ray]! + outer[ray]!);
    for (let cell = from; cell <= to; cell++) stamp(strip.places, ray * strip.cells + cell, band, kept);
  }
}

/** Marks the rays on which a rim is drawn: where it is seen, and in the gaps between. */
function shownRays({ strip: { rays, isClosed }, strengths }: RimPath): Uint8Array {
  const bold = strengths.toSorted()[Math.floor(0.75 * rays)]!;
  const least = Math.max(MIN_SEEN_STRENGTH, SEEN_SHARE * bold);
  const shown = Uint8Array.from(strengths, (strength) => (strength >= least ? 1 : 0));
  const seen = shown.reduce((sum, value) => sum + value, 0);
  if (isClosed && seen < MIN_RIM_SHARE * rays) return shown.fill(0);
  const longest = seen >= WHOLE_RIM_SHARE * rays ? MAX_GAP_SHARE * rays : 0.25 * MAX_GAP_SHARE * rays;
  let last = -1;
  for (let k = 0; k < (isClosed ? 2 * rays : rays); k++) {
    const ray = k % rays;
    if (strengths[ray]! < least) continue;
    if (last >= 0 && k - last <= longest) for (let gap = last + 1; gap < k; gap++) shown[gap % rays] = 1;
    last = k;
  }
  return shown;
}

/** Measures how many cells the rim reaches to one side of its path on each ray. */
function widths(
  { strip: { rays, cells: count, places, isClosed }, cells, strengths }: RimPath,
  evidence: Float32Array,
  { side, top, rows }: GlassesBand,
  way: 1 | -1,
  shown: Uint8Array,
  lids: Float32Array,
): Uint8Array {
  const own = new Uint8Array(rays);
  const usual = aroundEach(strengths, shown, isClosed);
  for (let ray = 0; ray < rays; ray++) {
    let width = 0;
    const part = Math.max(MIN_PART_STRENGTH, PART_SHARE * usual[ray]!);
    const at = 2 * (ray * count + cells[ray]!);
    const isBeside = places[at + 1]! < BROW_SIDES * side || Math.abs(places[at]! - side / 2) < NOSE_SIDES * side;
    const gap = way > 0 && isBeside ? 1 : MAX_CLEAR_CELLS;
    for (let step = 1; step <= MAX_HALF_WIDTH_CELLS && step - width <= gap; step++) {
      const cell = cells[ray]! + way * step;
      if (cell < 0 || cell >= count) break;
      const place = 2 * (ray * count + cell);
      const row = clamp(Math.round(places[place + 1]!) - top, 0, rows - 1);
      const column = clamp(Math.round(places[place]!), 0, side - 1);
      if (evidence[row * side + column]! >= part) width = step;
    }
    own[ray] = width;
  }
  const open = shown.map((isShown, ray) => {
    const at = 2 * (ray * count + cells[ray]!);
    return lids[Math.round(places[at + 1]!) * side + Math.round(places[at]!)]! < 0.5 ? isShown : 0;
  });
  return aroundEach(own, open, isClosed);
}

/** Takes the median over the rays around each, of those that are shown. */
function aroundEach<Values extends Uint8Array | Float32Array>(values: Values, shown: Uint8Array, isClosed: boolean): Values {
  const rays = values.length;
  return values.map((_, ray) => {
    const near: number[] = [];
    for (let d = -WIDTH_RAYS; d <= WIDTH_RAYS; d++) {
      const at = isClosed ? (ray + d + rays) % rays : clamp(ray + d, 0, rays - 1);
      if (shown[at] === 1) near.push(values[at]!);
    }
    return near.sort((a, b) => a - b)[near.length >> 1] ?? 0;
  }) as Values;
}

/** Marks the texels around a place: rays lie up to two texels apart. */
function stamp(places: Float32Array, cell: number, { side, top, rows }: GlassesBand, kept: Float32Array): void {
  const x0 = places[2 * cell]!;
  const y0 = places[2 * cell + 1]! - top;
  for (let y = Math.max(0, Math.floor(y0)); y <= Math.min(rows - 1, Math.ceil(y0)); y++)
    for (let x = Math.max(0, Math.floor(x0)); x <= Math.min(side - 1, Math.ceil(x0)); x++) kept[y * side + x] = 1;
}
