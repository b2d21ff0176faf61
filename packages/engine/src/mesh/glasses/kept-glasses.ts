import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargedRow, enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import { notSkin, relativeDarkness, skinToned } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { medianOf } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { midlineDistance } from '../uv/texel.ts';
import { dilate, erode } from './extreme-filter.ts';
import { glassesHull } from './glasses-hull.ts';
import { glassesBand, lineStrength } from './line-strength.ts';
import type { GlassesBand } from './line-strength.ts';
import { keepGlare } from './lens-glare.ts';
import { drawRim } from './rim-bands.ts';
import { insideOf, tracePaths } from './rim-paths.ts';

/** Largest side of the atlas in which rims are traced, texels. */
const MAX_TRACED_SIDE = 256;
/** Radius of thin lines, sides. */
const LINE_RADIUS_SIDES = 1 / 85;
/** Multiple of the skin's own median line strength, its pores and noise, that counts as nothing. */
const NOISE_MULTIPLE = 1.5;
/** Strength over which a line is followed. */
const FOLLOWED_STRENGTH = 0.09;
/** Relative darkness against skin over which a texel is part of a broad frame. */
const SOLID: Ramp = { from: 0.4, to: 0.55 };
/** Strength of a broad clear frame, by its colour. */
const PALE_STRENGTH = 0.3;
/** Relative darkness up to which colour alone tells a frame from skin. */
const MAX_PALE_DARKNESS = 0.2;
/** Distance from the midline up to which noses shine, sides. */
const NOSE_SIDES = 0.07;
/** Half the gap over which lines are still followed, sides. */
const LEAD_GAP_SIDES = 1 / 128;
const CLOSING_SIDES = 1 / 80;
const EDGE: Ramp = { from: 0.1, to: 0.5 };
/** Facing below which glasses, which stand off the face, no longer lie where their lenses' rims are traced. */
const ASIDE_FACING: Ramp = { from: 0.65, to: 0.5 };
const ARM_ASIDE: Ramp = { from: 0.2, to: 0.23 };
const FAR_ASIDE: Ramp = { from: 0.2, to: 0.23 };
const PADS_ASIDE: Ramp = { from: 0.11, to: 0.09 };
const PADS_BOTTOM: Ramp = { from: 0.44, to: 0.42 };
const PADS_TOP: Ramp = { from: 0.3, to: 0.32 };
const FAR_TOP: Ramp = { from: 0.26, to: 0.28 };
const FAR_BOTTOM: Ramp = { from: 0.6, to: 0.58 };
/** Share of a side's length that connected lines must reach to be part of glasses. */

/** What of a target's glasses stays in front of its face, 0..1. */
export interface KeptGlasses {
  /** All of them, with arms and glare: a plane of the atlas's size. */
  readonly all: Float32Array;
  /** Rims around the lenses and the bridge: a plane of at most `MAX_TRACED_SIDE`. */
  readonly rims: Float32Array;
}

export function keepGlasses(
  full: Atlas,
  layouts: (side: number) => AtlasLayout,
  model: SkinModel,
): KeptGlasses {
  const side = Math.min(full.side, MAX_TRACED_SIDE);
  const atlas = side === full.side ? full : shrinkAtlas(full, side);
  const layout = layouts(side);
  const band = glassesBand(side);
  const lines = cleanLines(atlas, layout, band, model);
  const evidence = evidenceOf(lines, atlas, layout, band, model);
  const { lenses, bridge } = tracePaths(lines, band, layout);
  const kept = new Float32Array(lines.length);
  for (const path of [...lenses, bridge]) drawRim(path, evidence, band, layout, kept);
  const rims = wholePlane(kept, band);
  const inside = insideOf(lenses, band);
  followOn(evidence, atlas.facing, inside, layout, band, kept);
  close(kept, band, CLOSING_SIDES);
  keepGlare(atlas, layout, model, inside, band, kept);
  boxBlur(kept, side, band.rows, 1, 2);
  const all = wholePlane(
    kept.map((value, k) => ramp(EDGE, value) * layout.oval[k + band.top * side]!),
    band,
  );
  return { all: side === full.side ? all : enlargeSquare(all, side, full.side / side), rims };
}

/** Closes gaps in a plane of the band that are at most twice this wide, in place. */
function close(plane: Float32Array, { side, rows }: GlassesBand, radiusSides: number): void {
  const radius = Math.max(1, Math.round(radiusSides * side));
  dilate(plane, side, rows, radius);
  erode(plane, side, rows, radius);
}

/** Puts a plane of the band into one of the whole atlas. */
function wholePlane(plane: Float32Array, { side, top }: GlassesBand): Float32Array {
  const whole = new Float32Array(side * side);
  whole.set(plane, top * side);
  return whole;
}

function cleanLines(atlas: Atlas, { core }: AtlasLayout, band: GlassesBand, model: SkinModel): Float32Array {
  const { side, top } = band;
  const lines = lineStrength(atlas, band, Math.max(1, Math.round(LINE_RADIUS_SIDES * side)), model.red);
  const bare = lines.filter((_, k) => core[k + top * side]! > 0.5 && atlas.facing[k + top * side]! > 0.5);
  const noise = NOISE_MULTIPLE * medianOf(bare);
  return lines.map((strength) => Math.max(0, strength - noise));
}

/** Where lines are followed from the rims onwards: bridge and pads, arms, and `far`, where a face that is turned away shows them. */
const ways = perLayout((layout: AtlasLayout) => {
  const { side, browsSoft, lids } = layout;
  const hull = glassesHull(layout);
  const near = hull.map((inside, i) => {
    const aside = midlineDistance(i, side);
    const v = Math.floor(i / side) / side;
    return inside * Math.max(ramp(ARM_ASIDE, aside), ramp(PADS_ASIDE, aside) * ramp(PADS_TOP, v) * ramp(PADS_BOTTOM, v));
  });
  const far = layout.oval.map((inside, i) => {
    const aside = midlineDistance(i, side);
    const v = Math.floor(i / side) / side;
    return inside * Math.max(hull[i]! * ramp(PADS_BOTTOM, v), ramp(FAR_ASIDE, aside) * ramp(FAR_TOP, v) * ramp(FAR_BOTTOM, v));
  });
  const open = browsSoft.map((brow, i) => (1 - lids[i]!) * (1 - brow));
  return { near, far, open };
});

/** How surely each texel of the band is part of glasses, 0..1, if it hangs together with them. */
function evidenceOf(lines: Float32Array, atlas: Atlas, layout: AtlasLayout, { side, top, rows }: GlassesBand, model: SkinModel): Float32Array {
  const { open } = ways(layout);
  const expected = new Float32Array(side);
  const lead = new Float32Array(lines.length);
  for (let y = 0, k = 0, i = top * side; y < rows; y++) {
    enlargedRow(model.luma, COARSE_SIDE, side / COARSE_SIDE, top + y, expected);
    for (let x = 0; x < side; x++, k++, i++) {
      if (open[i] === 0) continue;
      const luma = atlas.luma[i]!;
      const darker = relativeDarkness(expected[x]!, luma);
      const solid =
        darker > SOLID.from
          ? darker * ramp(SOLID, darker) * (1 - skinToned(model, luma, atlas.red[i]!))
          : darker < MAX_PALE_DARKNESS && Math.abs(x + 0.5 - side / 2) > NOSE_SIDES * side
            ? PALE_STRENGTH * notSkin(model, expected[x]!, luma, atlas.blue[i]!, atlas.red[i]!, 0)
            : 0;
      lead[k] = open[i]! * Math.max(lines[k]!, solid);
    }
  }
  return lead;
}

/** Marks in `kept` what hangs together with it: pads, arms, and rims on a side that is turned away. */
function followOn(
  evidence: Float32Array,
  facing: Float32Array,
  inside: Float32Array,
  layout: AtlasLayout,
  band: GlassesBand,
  kept: Float32Array,
): void {
  const { side, top } = band;
  const { near, far } = ways(layout);
  const lead = evidence.slice();
  close(lead, band, LEAD_GAP_SIDES);
  const queue = new Int32Array(lead.length);
  let tail = 0;
  for (let cell = 0; cell < kept.length; cell++) if (kept[cell]! > 0) queue[tail++] = cell;
  const steps = [-1, 1, -side, side, -side - 1, -side + 1, side - 1, side + 1];
  for (let head = 0; head < tail; head++) {
    const cell = queue[head]!;
    for (const step of steps) {
      const next = cell + step;
      if (next < 0 || next >= lead.length || kept[next] !== 0 || lead[next]! < FOLLOWED_STRENGTH) continue;
      const texel = next + top * side;
      const away = ramp(ASIDE_FACING, facing[texel]!);
      if (Math.max(near[texel]! * (1 - inside[next]!), far[texel]! * away) < 0.5) continue;
      kept[next] = 1;
      queue[tail++] = next;
    }
  }
}
