import { enlargedRow } from '@guise/kernels/plane-scale.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LIGHT_SIDE } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';
import type { SourceFace } from './source-face.ts';

/** Gains of one photo's light over another's beyond these bring out noise, or bury the face. */
const LEAST_GAIN = 0.4;
const MOST_GAIN = 2.5;
/** Luma added to both lights before they are compared. */
const DARK_FLOOR = 4;
/** Mean size of the colour differences of skin below which a photo is black-and-white. */
const COLOURLESS = 3;

/** The face's atlas as it would be in another photo's light and tone: a new one. */
export function inLightOf({ atlas, light }: SourceFace, wanted: Light, layout: RegionMasks): Atlas {
  if (light === wanted) return atlas;
  const { side, oval } = layout;
  const luma = new Float32Array(side * side);
  const blue = new Float32Array(side * side);
  const red = new Float32Array(side * side);
  // A black-and-white photo says nothing of colours.
  const colour = colourOf(light) < COLOURLESS ? 0 : 1;
  const planes = [light.luma, light.blue, light.red, wanted.luma, wanted.blue, wanted.red];
  const rows = planes.map(() => new Float32Array(side));
  const [fromLuma, fromBlue, fromRed, toLuma, toBlue, toRed] = rows as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0; y < side; y++) {
    for (const [k, plane] of planes.entries()) enlargedRow(plane, LIGHT_SIDE, side / LIGHT_SIDE, y, rows[k]!);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      if (oval[i] === 0) continue;
      const ratio = (toLuma[x]! + DARK_FLOOR) / (fromLuma[x]! + DARK_FLOOR);
      const gain = ratio < LEAST_GAIN ? LEAST_GAIN : ratio > MOST_GAIN ? MOST_GAIN : ratio;
      luma[i] = gain * atlas.luma[i]!;
      blue[i] = toBlue[x]! + colour * gain * (atlas.blue[i]! - fromBlue[x]!);
      red[i] = toRed[x]! + colour * gain * (atlas.red[i]! - fromRed[x]!);
    }
  }
  return { side, luma, blue, red, facing: atlas.facing };
}

function colourOf({ blue, red }: Light): number {
  let sum = 0;
  for (let i = 0; i < blue.length; i++) sum += Math.abs(blue[i]!) + Math.abs(red[i]!);
  return sum / blue.length;
}
