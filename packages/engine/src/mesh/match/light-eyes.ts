import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import type { Atlas, AtlasColours } from '../uv/atlas.ts';
import { EYES } from '../uv/face-regions.ts';
import { eyeOf } from './eye.ts';
import { SEEN_OPENING } from './iris-ring.ts';

/** Depth in the eye. 0 at `from`: a texel is lid; 1 at `to`: it is eye. */
const EYE_DEPTH: Ramp = { from: 0.25, to: 0.5 };
/** Depth in the eye from which a texel is free of lids and lashes. */
const BARE_DEPTH = 0.8;
/**
 * Shares of the bare texels of both eyes, from dark to bright, between which lie the whites. Glints
 * are brighter.
 */
const WHITES = { from: 0.8, to: 0.97 } as const;

/**
 * Largest factor by which eyes get brighter than the skin does: eyes in a shade are often darker
 * than their whites seem.
 */
const MAX_BRIGHTENING = 1.2;
/**
 * Least luma of whites over the target's skin. Between narrow lids its whites are hardly seen, and
 * seem darker than they are.
 */
const MIN_WHITE = 0.75;

/** Texels of both eyes, and those of them without lids. */
const eyeTexels = perLayout(({ softEyes }: AtlasLayout) => {
  const whole = Uint32Array.from(softEyes.keys()).filter((i) => softEyes[i]! > EYE_DEPTH.from);
  return { whole, bare: whole.filter((i) => softEyes[i]! > BARE_DEPTH) };
});

/**
 * Gives the lit face's eyes, in place, the brightness of the target's eyes. The whites of all
 * people's eyes are alike, so they must not change with the skin around them.
 * @param source the source's atlas before it was lit @param target the target's, with the veil
 * @param skinLuma of the target @param skinGain factor by which the skin gets brighter
 * @param share 0..1: how far they change, see `measurableEyes`
 */
export function lightEyes(
  lit: Atlas,
  source: AtlasColours,
  target: AtlasColours,
  skinLuma: number,
  skinGain: number,
  share: number,
  layout: AtlasLayout,
): void {
  if (share === 0) return;
  const { whole, bare } = eyeTexels(layout);
  const wanted = Math.max(whiteOf(target, bare), MIN_WHITE * skinLuma);
  const gain = Math.min(wanted / Math.max(1, whiteOf(source, bare)), MAX_BRIGHTENING * Math.max(1, skinGain));
  for (const i of whole) {
    const change = share * ramp(EYE_DEPTH, layout.softEyes[i]!);
    const before = lit.luma[i]!;
    const luma = before + change * (Math.min(255, source.luma[i]! * gain) - before);
    const colour = clamp(luma / Math.max(1, before), 0, 1);
    lit.luma[i] = luma;
    lit.blue[i]! *= colour;
    lit.red[i]! *= colour;
  }
}

/**
 * Measures how well the whites of two faces' eyes can be seen, 0..1: 0 if an eye is narrow, or if
 * the target's are behind glasses. Meshes are 478 x (x, y, z).
 * @param lens share of each texel that a lens of the target covers, in the layout's size
 */
export function measurableEyes(
  source: Float32Array,
  target: Float32Array,
  lens: Float32Array,
  layout: AtlasLayout,
): number {
  const openings = EYES.flatMap((eye) => [eyeOf(source, eye).opening, eyeOf(target, eye).opening]);
  const { bare } = eyeTexels(layout);
  const behindLens = bare.reduce((sum, i) => sum + lens[i]!, 0) / bare.length;
  return ramp(SEEN_OPENING, Math.min(...openings)) * (1 - behindLens);
}

/** Measures the mean luma of the whites of both eyes. */
function whiteOf({ luma }: AtlasColours, texels: Uint32Array): number {
  const sorted = Float32Array.from(texels, (i) => luma[i]!).sort();
  const white = sorted.subarray(
    Math.floor(WHITES.from * sorted.length),
    Math.ceil(WHITES.to * sorted.length),
  );
  return white.reduce((sum, value) => sum + value, 0) / white.length;
}
