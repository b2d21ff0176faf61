import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { expressionZones } from '../../packages/engine/src/mesh/match/expression-zones.ts';
import type { Atlas } from '../../packages/engine/src/mesh/uv/atlas.ts';
import { type FacePair, meanOf, seenTexels } from './face-pair.ts';

/**
 * Radii of two blurs, as shares of the side. Folds are between them: pores are finer, light is
 * broader.
 */
const FOLD_BAND = { fine: 1 / 128, broad: 1 / 20 } as const;

/**
 * Measures how much deeper the folds beside the mouth are than the target's, in per cent of the
 * light. It is large if the folds of the source's smile are drawn on a calm mouth.
 */
export function smileRelief(pair: FacePair): number {
  const texels = seenTexels(pair, expressionZones(pair.layout).mouth);
  const [output, target] = [pair.output, pair.target].map((atlas) => foldsOf(atlas));
  return 100 * meanOf(texels.map((i) => Math.max(0, output![i]! - Math.max(0, target![i]!))));
}

/** Returns how much darker each texel is than the light around it, as a share of that light. */
function foldsOf({ side, luma }: Atlas): Float32Array {
  const fine = luma.slice();
  boxBlur(fine, side, side, Math.round(FOLD_BAND.fine * side), 2);
  const broad = luma.slice();
  boxBlur(broad, side, side, Math.round(FOLD_BAND.broad * side), 2);
  return fine.map((value, i) => (broad[i]! - value) / (broad[i]! + 8));
}
