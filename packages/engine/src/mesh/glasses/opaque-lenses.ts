import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import { relativeDarkness, skinToned } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { GlassesBand } from './glasses-band.ts';

/** Relative darkness against skin from which nothing is seen behind a lens. */
const MIN_DARKNESS = 0.45;
/**
 * Share of what lies behind both lenses that is so dark and no shaded skin from which they are sun
 * glasses. Clear lenses with dark frames have 0.4 at most, eye sockets in the shade 0.2.
 */
const OPAQUE_SHARE = 0.7;

/** Marks all that lies `inside` the loops of sun glasses in `kept`; of clear lenses nothing. */
export function keepOpaqueLenses(
  { luma, red }: Atlas,
  model: SkinModel,
  inside: Float32Array,
  { side, top, rows }: GlassesBand,
  kept: Float32Array,
): void {
  const expected = new Float32Array(side);
  let all = 0;
  let opaque = 0;
  for (let y = 0, k = 0, i = top * side; y < rows; y++) {
    enlargedRow(model.luma, COARSE_SIDE, side / COARSE_SIDE, top + y, expected);
    for (let x = 0; x < side; x++, k++, i++) {
      if (inside[k] === 0) continue;
      all += 1;
      if (relativeDarkness(expected[x]!, luma[i]!) < MIN_DARKNESS) continue;
      opaque += 1 - skinToned(model, luma[i]!, red[i]!);
    }
  }
  if (opaque < OPAQUE_SHARE * all) return;
  for (let k = 0; k < kept.length; k++) if (inside[k]! > kept[k]!) kept[k] = inside[k]!;
}
