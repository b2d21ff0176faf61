import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { GlassesBand } from './glasses-band.ts';

/** Relative brightness against skin over which colourless light is glare. */
const GLARE: Ramp = { from: 0.12, to: 0.3 };
/** Deviations of the skin's colours by which glare is bluer and less red than skin. */
const COLD: Ramp = { from: 2.5, to: 4 };
/** Smallest glare, as a share of the atlas: less is a glint on an iris or wet lids. */
const MIN_AREA_SHARE = 1 / 800;
/** Share of a blob that lies in the opening of an eye from which it is the white of that eye. */
const MAX_EYE_SHARE = 0.7;
/** Glare of a texel from which it is part of a blob. */
const PART = 0.5;
/** What is taken off the glare of texels whose blob is known. */
const TAKEN = 2;

/**
 * Marks glare of lenses in `kept`: bright cold blobs `inside` the loops that cross lids or skin.
 * Smaller reflections, which lie before an iris, go with it.
 */
export function keepGlare(
  atlas: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  inside: Float32Array,
  band: GlassesBand,
  kept: Float32Array,
): void {
  const { side, top } = band;
  const { softEyes } = layout;
  const glare = findGlare(atlas, model, inside, band);
  const queue = new Int32Array(glare.length);
  for (let start = 0; start < glare.length; start++) {
    if (glare[start]! < PART) continue;
    let tail = 0;
    let inEye = 0;
    queue[tail++] = start;
    glare[start]! -= TAKEN;
    for (let head = 0; head < tail; head++) {
      const cell = queue[head]!;
      inEye += softEyes[cell + top * side]!;
      for (const step of [-1, 1, -side, side]) {
        const next = cell + step;
        if (next < 0 || next >= glare.length || glare[next]! < PART) continue;
        glare[next]! -= TAKEN;
        queue[tail++] = next;
      }
    }
    if (tail < MIN_AREA_SHARE * side * side || inEye > MAX_EYE_SHARE * tail) continue;
    for (let k = 0; k < tail; k++) {
      const cell = queue[k]!;
      kept[cell] = Math.max(kept[cell]!, glare[cell]! + TAKEN);
    }
  }
}

function findGlare(
  { luma, blue, red }: Atlas,
  model: SkinModel,
  inside: Float32Array,
  { side, top, rows }: GlassesBand,
): Float32Array {
  const glare = new Float32Array(rows * side);
  const expected = new Float32Array(side);
  for (let y = 0, k = 0, i = top * side; y < rows; y++) {
    enlargedRow(model.luma, COARSE_SIDE, side / COARSE_SIDE, top + y, expected);
    for (let x = 0; x < side; x++, k++, i++) {
      if (inside[k] === 0) continue;
      const brighter = -relativeDarkness(expected[x]!, luma[i]!);
      if (brighter <= GLARE.from) continue;
      const cold = (blue[i]! - model.blue) / model.blueDeviation - (red[i]! - model.red) / model.redDeviation;
      glare[k] = ramp(GLARE, brighter) * ramp(COLD, cold);
    }
  }
  return glare;
}
