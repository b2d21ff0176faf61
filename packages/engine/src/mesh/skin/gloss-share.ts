import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { Light } from './light.ts';

/**
 * Height of the brightest relief, as a share of the light. 0 at `from`: skin is matt; 1 at `to`:
 * shiny.
 */
const PEAK: Ramp = { from: 0.19, to: 0.24 };
/**
 * Deviation of colours from the light's, as a share of its luma. 0 at `from`: matt skin; 1 at `to`:
 * glossy.
 */
const STRAY_COLOUR: Ramp = { from: 0.038, to: 0.048 };

/**
 * Measures the share of the visible light of a source's skin that is reflection, 0..1. Reflection
 * adds the same white to any skin. On dark skin it is a large share of the light, and changes the
 * colours.
 * @param small the source's atlas, coarse, before any shine is removed
 * @param light of it @param weight of each texel as bare skin
 */
export function glossShare(small: AtlasColours, light: Light, weight: Float32Array): number {
  let [total, squares, fourths, stray] = [1e-6, 1e-6, 0, 0];
  for (let i = 0; i < weight.length; i++) {
    const w = weight[i]!;
    if (w <= 0) continue;
    const lit = light.luma[i]! + LUMA_NOISE_FLOOR;
    const relief = (small.luma[i]! - light.luma[i]!) / lit;
    if (relief > 0) {
      squares += w * relief ** 2;
      fourths += w * relief ** 4;
    }
    const blue = small.blue[i]! - light.blue[i]!;
    const red = small.red[i]! - light.red[i]!;
    stray += (w * (blue * blue + red * red)) / lit ** 2;
    total += w;
  }
  return ramp(PEAK, Math.sqrt(fourths / squares)) * ramp(STRAY_COLOUR, Math.sqrt(stray / total));
}
