import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import { notSkin, relativeDarkness, skinToned } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { GlassesBand } from './glasses-band.ts';

/** Relative darkness against skin over which a texel is part of a broad dark frame. */
const SOLID_DARKNESS: Ramp = { from: 0.4, to: 0.55 };
/** Strength of a broad frame of another colour than the skin's. */
const PALE_STRENGTH = 0.3;
/** Relative darkness up to which colour alone tells a frame from skin in the shade. */
const MAX_PALE_DARKNESS = 0.2;
/** Distance from the midline up to which noses shine, which looks like a pale frame, sides. */
const NOSE_SIDES = 0.07;

/**
 * Measures how strongly each texel of the band looks like part of glasses: of a line, or of a frame
 * broader than a line. Lids and brows look like nothing.
 */
export function rimEvidence(
  lines: Float32Array,
  atlas: Atlas,
  { lids, browsSoft }: AtlasLayout,
  { side, top, rows }: GlassesBand,
  model: SkinModel,
): Float32Array {
  const { luma, blue, red } = atlas;
  const expected = new Float32Array(side);
  const evidence = new Float32Array(lines.length);
  for (let y = 0, k = 0, i = top * side; y < rows; y++) {
    enlargedRow(model.luma, COARSE_SIDE, side / COARSE_SIDE, top + y, expected);
    for (let x = 0; x < side; x++, k++, i++) {
      const open = (1 - lids[i]!) * (1 - browsSoft[i]!);
      if (open === 0) continue;
      const darker = relativeDarkness(expected[x]!, luma[i]!);
      let broad = 0;
      if (darker > SOLID_DARKNESS.from)
        broad = darker * ramp(SOLID_DARKNESS, darker) * (1 - skinToned(model, luma[i]!, red[i]!));
      else if (darker < MAX_PALE_DARKNESS && Math.abs(x + 0.5 - side / 2) > NOSE_SIDES * side)
        broad = PALE_STRENGTH * notSkin(model, expected[x]!, luma[i]!, blue[i]!, red[i]!, 0);
      evidence[k] = open * Math.max(lines[k]!, broad);
    }
  }
  return evidence;
}
