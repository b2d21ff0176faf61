import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { midlineDistance } from '../uv/texel.ts';
import { dilate } from '../skin/extreme-filter.ts';
import type { GlassesEvidence } from './glasses-evidence.ts';
import { glassesEvidence } from './glasses-evidence.ts';
import { glassesZones } from './glasses-zones.ts';

/** Evidence from which a texel surely is part of glasses. */
const SEED_EVIDENCE = 0.9;
/** Evidence down to which they are followed from there: half a line is worse than lost skin. */
const FOLLOWED_EVIDENCE = 0.12;
/** Share of the way from dark frames to the skin up to which a lid's texel is one of a rim. */
const RIM_ON_LID = 0.15;
/** Relative brightness of a rim of metal that crosses a lid. */
const BRIGHT_ON_LID = 0.25;
/** Width of the soft edges and shadows of glasses, in sides. */
const FRINGE_SIDES = 1 / 64;
/** Distance from the midline, in sides, from which arms run; further in, noses are as uneven. */
const FRINGE_ASIDE_SIDES = 0.18;
/**
 * Relative darkness against the lightest skin as near, or brightness, of a texel of such an edge.
 */
const FRINGE_STRENGTH = 0.06;
/** Reach beyond what was found, in sides: edges and shadows are soft. */
const GROWTH_SIDES = 1 / 128;
/** Blurred share over which the grown area sets in. */
const GROWN: Ramp = { from: 0.08, to: 0.3 };

/**
 * Finds the texels, 0..1, that show glasses, their shadow or their glare instead of a source's
 * skin. Whoever calls knows that glasses are worn: what may be part of them is. Rims are followed
 * over the lids' skin, not over lashes, eyes and the hair of the brows.
 */
export function findSourceGlasses(
  atlas: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  make: PlaneMaker,
): Float32Array {
  const { side } = atlas;
  const evidence = glassesEvidence(atlas, layout, model, make);
  const { brows, crossed, searched } = glassesZones(layout);
  const glasses = make.floats(side * side);
  const found = follow(evidence, crossed, side, glasses);
  addFringe(evidence, found, searched, side, glasses, make);
  boxBlur(glasses, side, side, Math.max(1, Math.round(side * GROWTH_SIDES)), 2);
  for (let i = 0; i < glasses.length; i++)
    if (glasses[i]! > 0) glasses[i] = ramp(GROWN, glasses[i]!) * (1 - brows[i]!);
  return glasses;
}

/**
 * Sets what hangs together with a sure texel of the frames to 1 in `glasses`.
 * @returns their places in the evidence
 */
function follow(
  { from, odd, luma, around, bright, rimLuma }: GlassesEvidence,
  crossed: Float32Array,
  side: number,
  glasses: Float32Array,
): Int32Array {
  const near = [-1, 1, -side, side, -side - 1, -side + 1, side - 1, side + 1];
  const queue = new Int32Array(odd.length);
  let tail = 0;
  for (let k = 0; k < odd.length; k++) {
    if (odd[k]! < SEED_EVIDENCE) continue;
    glasses[from + k] = 1;
    queue[tail++] = k;
  }
  for (let head = 0; head < tail; head++) {
    for (const step of near) {
      const next = queue[head]! + step;
      if (next < 0 || next >= odd.length || glasses[from + next]! > 0) continue;
      if (odd[next]! < FOLLOWED_EVIDENCE) {
        if (crossed[from + next] === 0) continue;
        const isDark = luma[next]! - rimLuma < RIM_ON_LID * (around[next]! - rimLuma);
        if (!isDark && bright[next]! < BRIGHT_ON_LID) continue;
      }
      glasses[from + next] = 1;
      queue[tail++] = next;
    }
  }
  return queue.subarray(0, tail);
}

/** Adds the soft edges and shadows of what was `found`: a few steps over what is less light. */
function addFringe(
  { from, luma, bright }: GlassesEvidence,
  found: Int32Array,
  searched: Float32Array,
  side: number,
  glasses: Float32Array,
  make: PlaneMaker,
): void {
  const stepCount = Math.round(FRINGE_SIDES * side);
  const lightest = make.copyOf(luma);
  dilate(lightest, side, luma.length / side, stepCount);
  let edge: number[] = [];
  for (const k of found) if (midlineDistance(k, side) >= FRINGE_ASIDE_SIDES) edge.push(k);
  for (let step = 0; step < stepCount; step++) {
    const next: number[] = [];
    for (const k of edge) {
      for (const way of [-1, 1, -side, side]) {
        const to = k + way;
        if (to < 0 || to >= luma.length || glasses[from + to]! > 0 || searched[from + to] === 0) continue;
        if (midlineDistance(to, side) < FRINGE_ASIDE_SIDES) continue;
        const isSkin =
          relativeDarkness(lightest[to]!, luma[to]!) < FRINGE_STRENGTH && bright[to]! < FRINGE_STRENGTH;
        if (isSkin) continue;
        glasses[from + to] = 1;
        next.push(to);
      }
    }
    edge = next;
  }
}
