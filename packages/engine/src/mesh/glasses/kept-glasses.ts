import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargedRow, enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import { relativeDarkness, skinToned } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { medianOf } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { dilate, erode } from './extreme-filter.ts';
import { glassesHull } from './glasses-hull.ts';
import { glassesBand, lineStrength } from './line-strength.ts';
import type { GlassesBand } from './line-strength.ts';
import { tracePaths } from './rim-paths.ts';
import type { RimPath } from './rim-paths.ts';

/** Largest side of the atlas in which rims are traced, texels. */
const MAX_TRACED_SIDE = 256;
/** Radius of thin lines, sides. */
const LINE_RADIUS_SIDES = 1 / 85;
/** Multiple of the skin's own median line strength, its pores and noise, that counts as nothing. */
const NOISE_MULTIPLE = 1.5;
/** Strength of a line over which it is followed from a traced path. */
const FOLLOWED: Ramp = { from: 0.06, to: 0.12 };
const SOLID: Ramp = { from: 0.4, to: 0.55 };
/** Strength, averaged along a path, over which the path is drawn. */
const DRAWN: Ramp = { from: 0.03, to: 0.06 };
const SEED_STRENGTH = 0.1;
/** Rays on either side that a path's strength is averaged over: shorter gaps are closed. */
const GAP_RAYS = 5;
const PATH_RADIUS_SIDES = 1 / 128;
const CLOSING_SIDES = 1 / 48;
const EDGE_SIDES = 1 / 200;
const EDGE: Ramp = { from: 0.1, to: 0.5 };

/** What of a target's glasses stays in front of its face, 0..1, a plane of the atlas's size. */
export function keptGlasses(full: Atlas, layouts: (side: number) => AtlasLayout, model: SkinModel): Float32Array {
  const side = Math.min(full.side, MAX_TRACED_SIDE);
  const atlas = side === full.side ? full : shrinkAtlas(full, side);
  const layout = layouts(side);
  const band = glassesBand(side);
  const lines = cleanLines(atlas, layout, band, model);
  const { lenses, bridge } = tracePaths(lines, band, layout);
  const lead = leadOf(lines, atlas, layout, band, model);
  const kept = new Float32Array(lead.length);
  const paths = [...lenses, bridge];
  follow(lead, paths, band, kept);
  for (const path of paths) drawPath(path, band, layout, kept);
  const radius = Math.round(CLOSING_SIDES * side);
  dilate(kept, side, band.rows, radius);
  erode(kept, side, band.rows, radius);
  dilate(kept, side, band.rows, Math.max(1, Math.round(EDGE_SIDES * side)));
  boxBlur(kept, side, band.rows, 1, 2);
  const out = new Float32Array(side * side);
  for (let k = 0, i = band.top * side; k < kept.length; k++, i++)
    out[i] = ramp(EDGE, kept[k]!) * layout.oval[i]!;
  return side === full.side ? out : enlargeSquare(out, side, full.side / side);
}

function cleanLines(atlas: Atlas, { core }: AtlasLayout, band: GlassesBand, model: SkinModel): Float32Array {
  const { side, top } = band;
  const lines = lineStrength(atlas, band, Math.max(1, Math.round(LINE_RADIUS_SIDES * side)), model.red);
  const bare = lines.filter((_, k) => core[k + top * side]! > 0.5 && atlas.facing[k + top * side]! > 0.5);
  const noise = NOISE_MULTIPLE * medianOf(bare);
  return lines.map((strength) => Math.max(0, strength - noise));
}

function leadOf(lines: Float32Array, atlas: Atlas, layout: AtlasLayout, { side, top, rows }: GlassesBand, model: SkinModel): Float32Array {
  const { lids, browsSoft } = layout;
  const hull = glassesHull(layout);
  const expected = new Float32Array(side);
  const lead = new Float32Array(lines.length);
  for (let y = 0, k = 0, i = top * side; y < rows; y++) {
    enlargedRow(model.luma, COARSE_SIDE, side / COARSE_SIDE, top + y, expected);
    for (let x = 0; x < side; x++, k++, i++) {
      if (hull[i] === 0) continue;
      const luma = atlas.luma[i]!;
      const darker = relativeDarkness(expected[x]!, luma);
      const solid = darker > SOLID.from ? ramp(SOLID, darker) * (1 - skinToned(model, luma, atlas.red[i]!)) : 0;
      const line = ramp(FOLLOWED, lines[k]! * (1 - 0.5 * browsSoft[i]!));
      lead[k] = hull[i]! * (1 - lids[i]!) * Math.max(line, solid);
    }
  }
  return lead;
}

function follow(lead: Float32Array, paths: readonly RimPath[], { side, top }: GlassesBand, kept: Float32Array): void {
  const queue = new Int32Array(lead.length);
  let tail = 0;
  for (const { points, strengths } of paths)
    for (let ray = 0; ray < strengths.length; ray++) {
      if (strengths[ray]! < SEED_STRENGTH) continue;
      const cell = (Math.round(points[2 * ray + 1]!) - top) * side + Math.round(points[2 * ray]!);
      if (lead[cell]! < 0.5 || kept[cell] !== 0) continue;
      kept[cell] = lead[cell]!;
      queue[tail++] = cell;
    }
  for (let head = 0; head < tail; head++) {
    const cell = queue[head]!;
    for (const step of [-1, 1, -side, side, -side - 1, -side + 1, side - 1, side + 1]) {
      const next = cell + step;
      if (next < 0 || next >= lead.length || kept[next] !== 0 || lead[next]! < 0.5) continue;
      kept[next] = lead[next]!;
      queue[tail++] = next;
    }
  }
}

function drawPath({ points, strengths, isClosed }: RimPath, { side, top, rows }: GlassesBand, { browsSoft }: AtlasLayout, kept: Float32Array): void {
  const count = strengths.length;
  const reach = PATH_RADIUS_SIDES * side;
  const r = Math.ceil(reach);
  for (let ray = 0; ray < count; ray++) {
    let sum = 0;
    let n = 0;
    for (let d = -GAP_RAYS; d <= GAP_RAYS; d++) {
      const at = isClosed ? (ray + d + count) % count : ray + d;
      if (at < 0 || at >= count) continue;
      sum += Math.min(0.2, strengths[at]!);
      n += 1;
    }
    const x0 = points[2 * ray]!;
    const y0 = points[2 * ray + 1]!;
    const texel = Math.round(y0) * side + Math.round(x0);
    const value = ramp(DRAWN, sum / n) * (1 - browsSoft[texel]!);
    if (value === 0) continue;
    for (let y = Math.round(y0) - r; y <= Math.round(y0) + r; y++)
      for (let x = Math.round(x0) - r; x <= Math.round(x0) + r; x++) {
        if ((x - x0) ** 2 + (y - y0) ** 2 > reach * reach + 0.5 || y < top || y >= top + rows) continue;
        const k = (y - top) * side + x;
        if (value > kept[k]!) kept[k] = value;
      }
  }
}
