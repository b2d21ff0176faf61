import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { RegionMasks } from '../uv/region-masks.ts';

/**
 * Mean deviation of a face's colours from their mean, levels. 0 at `from`: black and white; 1 at
 * `to`: colour.
 */
const COLOURED_DEVIATION: Ramp = { from: 0.7, to: 2.2 };

/** Returns the share of colour of a face (coarse): 0 is black and white, 1 is colour. */
export function colourShare(face: Atlas, masks: RegionMasks): number {
  return ramp(COLOURED_DEVIATION, colourDeviation(face, masks));
}

/**
 * Measures how much the colours of a face (coarse) differ from those of its bare skin, levels. A
 * toned black-and-white photo has one tint; skin, lips and shadows of a colour photo always differ.
 */
export function colourDeviation({ blue, red }: Atlas, { oval, features, holes }: RegionMasks): number {
  let blueSum = 0;
  let redSum = 0;
  let count = 0;
  for (let i = 0; i < oval.length; i++) {
    if (oval[i]! * (1 - features[i]!) * (1 - holes[i]!) === 0) continue;
    blueSum += blue[i]!;
    redSum += red[i]!;
    count += 1;
  }
  if (count === 0) return 0;
  return strayFrom(blue, blueSum / count, red, redSum / count, oval) / count;
}

function strayFrom(
  blue: Float32Array,
  blueMean: number,
  red: Float32Array,
  redMean: number,
  oval: Float32Array,
): number {
  let sum = 0;
  for (let i = 0; i < oval.length; i++)
    if (oval[i] !== 0) sum += Math.abs(blue[i]! - blueMean) + Math.abs(red[i]! - redMean);
  return sum;
}
