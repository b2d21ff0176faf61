import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { DARK_FLOOR_LUMA } from '../match/compose.ts';
import { clamp } from '@guise/kernels/clamp.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';
import type { SourceFace } from './source-face.ts';

/** Least gain of one photo's light over another's; a smaller one would darken the face too much. */
const MIN_LIGHT_GAIN = 0.4;
/** Largest gain of one photo's light over another's; a larger one would raise noise. */
const MAX_LIGHT_GAIN = 2.5;
/** Mean size of the skin's colour differences, levels, below which a photo is black-and-white. */
const MIN_COLOUR_LEVELS = 3;

/** Changes the face's atlas to another photo's light and tone; returns a new one. */
export function inLightOf({ atlas, light }: SourceFace, wanted: Light, layout: RegionMasks): Atlas {
  if (light === wanted) return atlas;
  const { side, oval } = layout;
  const luma = new Float32Array(side * side);
  const blue = new Float32Array(side * side);
  const red = new Float32Array(side * side);
  // A black-and-white photo has no colours to copy.
  const colour = colourOf(light) < MIN_COLOUR_LEVELS ? 0 : 1;
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
    for (const [k, plane] of planes.entries())
      enlargedRow(plane, COARSE_SIDE, side / COARSE_SIDE, y, rows[k]!);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      if (oval[i] === 0) continue;
      const ratio = (toLuma[x]! + DARK_FLOOR_LUMA) / (fromLuma[x]! + DARK_FLOOR_LUMA);
      const gain = clamp(ratio, MIN_LIGHT_GAIN, MAX_LIGHT_GAIN);
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
