import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { relativeDarkness, colourTells } from '../skin/not-skin.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Degrees between the hues of shaded and bare skin, up to which they are the same. */
const SAME_HUE = 5;
/** Degrees from which on it is no shade. */
const OTHER_HUE = 9;
/** Share of the skin's colour differences that shade keeps; black hair keeps next to none. */
const FADED = 0.65;
/** Share from which on it has the colours of skin. */
const COLOURED = 0.85;
/** Times as rich in colour for its luma as bare skin, up to which it is skin in shade. */
const SHADED = 1.9;
/** Times from which on it is brown hair. */
const BROWN = 2.3;
/** Sides from the midline within which what shades the forehead is a fringe, and stays with it. */
const FOREHEAD_SIDES = 0.22;
/** Sides from which on temples turn away from the light. */
const TEMPLE_SIDES = 0.28;
/** Share by which fair or red hair, where hair hangs, is darker than skin at least. */
const HAIR_ONSET = 0.18;
/** Share from which on it surely is. */
const HAIR_FULL = 0.28;
/** Degrees by which such hair's hue differs at least. */
const HAIR_HUE = 8;
/** Degrees from which on it surely is hair. */
const SURE_HAIR_HUE = 12;

/**
 * Mends the evidence of what is no skin, in place: darkness alone takes a shaded temple for hair
 * and fair hair for shade, which keeps hue and colour. Without colours nothing changes.
 */
export function judgeByHue(
  evidence: Float32Array,
  small: Atlas,
  { hairZone, beardZone }: AtlasLayout,
  model: SkinModel,
  bare: Float32Array,
): void {
  const tells = colourTells(model.red);
  if (tells === 0) return;
  const chroma = Math.sqrt(model.blue * model.blue + model.red * model.red);
  for (let i = 0; i < evidence.length; i++) {
    if (bare[i]! < 0.5) continue;
    const blue = small.blue[i]!;
    const red = small.red[i]!;
    const luma = small.luma[i]!;
    const expected = model.luma[i]!;
    const darker = relativeDarkness(expected, luma);
    if (darker <= 0) continue;
    const kept = Math.sqrt(blue * blue + red * red) / chroma;
    const turn = blue * model.red - red * model.blue;
    const hue = (Math.abs(Math.atan2(turn, blue * model.blue + red * model.red)) * 180) / Math.PI;
    const coloured = tells * smoothstep(FADED, COLOURED, kept);
    const richer = (kept * (expected + 8)) / (luma + 8);
    const shade =
      coloured *
      smoothstep(FOREHEAD_SIDES, TEMPLE_SIDES, midlineDistance(i, COARSE_SIDE)) *
      smoothstep(OTHER_HUE, SAME_HUE, hue) *
      smoothstep(BROWN, SHADED, richer);
    const hair =
      coloured *
      hairZone[i]! *
      (1 - beardZone[i]!) *
      smoothstep(HAIR_ONSET, HAIR_FULL, darker) *
      smoothstep(HAIR_HUE, SURE_HAIR_HUE, hue);
    evidence[i] = Math.max(evidence[i]! * (1 - shade), hair);
  }
}
