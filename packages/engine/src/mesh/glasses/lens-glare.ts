import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { fillPolygon } from '@guise/kernels/polygon.ts';
import type { RimPath } from './rim-paths.ts';
import type { GlassesBand } from './line-strength.ts';

/** Relative brightness against skin over which colourless light is glare. */
const GLARE: Ramp = { from: 0.12, to: 0.3 };
/** Deviations of the skin's colours by which glare is bluer and less red than skin. */
const COLD: Ramp = { from: 2.5, to: 4 };
/** Smallest glare, as a share of the atlas: less is a glint on wet lids. */
const MIN_AREA_SHARE = 1 / 2000;
/** Share of glare that lies in the opening of the eye from which it is the white of the eye. */
const MAX_EYE_SHARE = 0.5;
/** Share of the opening of the eye that glare hides from which it stays before the iris too. */
const HIDDEN_EYE_SHARE = 0.6;
const SEEN = 0.5;

/**
 * Marks glare of lenses in `kept`: bright cold blobs that cross lids or skin. It stays off the
 * openings of the eyes, whose irises are drawn anew, unless it hides one.
 */
export function keepGlare(
  atlas: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  lenses: readonly RimPath[],
  band: GlassesBand,
  kept: Float32Array,
): void {
  const { side, top } = band;
  const { softEyes } = layout;
  const glare = findGlare(atlas, model, lenses, band);
  const queue = new Int32Array(glare.length);
  for (let start = 0; start < glare.length; start++) {
    if (glare[start]! < SEEN) continue;
    let tail = 0;
    let inEye = 0;
    queue[tail++] = start;
    glare[start]! -= 2;
    for (let head = 0; head < tail; head++) {
      const cell = queue[head]!;
      inEye += softEyes[cell + top * side]!;
      for (const step of [-1, 1, -side, side]) {
        const next = cell + step;
        if (next < 0 || next >= glare.length || glare[next]! < SEEN) continue;
        glare[next]! -= 2;
        queue[tail++] = next;
      }
    }
    if (tail < MIN_AREA_SHARE * side * side || inEye > MAX_EYE_SHARE * tail) continue;
    const hides = inEye > HIDDEN_EYE_SHARE * eyeArea(layout);
    for (let k = 0; k < tail; k++) {
      const cell = queue[k]!;
      const value = glare[cell]! + 2;
      const share = hides ? value : value * (1 - softEyes[cell + top * side]!);
      if (share > kept[cell]!) kept[cell] = share;
    }
  }
}

function eyeArea({ softEyes }: AtlasLayout): number {
  return softEyes.reduce((sum, value) => sum + value, 0) / 2;
}

function findGlare(
  { luma, blue, red }: Atlas,
  model: SkinModel,
  lenses: readonly RimPath[],
  { side, top, rows }: GlassesBand,
): Float32Array {
  const inside = new Float32Array(rows * side);
  for (const { strip, cells } of lenses) {
    const corners = new Float32Array(2 * strip.rays);
    for (let ray = 0; ray < strip.rays; ray++) {
      const at = 2 * (ray * strip.cells + cells[ray]!);
      corners[2 * ray] = strip.places[at]!;
      corners[2 * ray + 1] = strip.places[at + 1]! - top;
    }
    fillPolygon(inside, side, rows, corners);
  }
  const glare = new Float32Array(rows * side);
  const expected = new Float32Array(side);
  for (let y = 0, k = 0, i = top * side; y < rows; y++) {
    enlargedRow(model.luma, COARSE_SIDE, side / COARSE_SIDE, top + y, expected);
    for (let x = 0; x < side; x++, k++, i++) {
      if (inside[k] === 0) continue;
      const brighter = -relativeDarkness(expected[x]!, luma[i]!);
      if (brighter <= GLARE.from) continue;
      const cold =
        (blue[i]! - model.blue) / model.blueDeviation - (red[i]! - model.red) / model.redDeviation;
      glare[k] = ramp(GLARE, brighter) * ramp(COLD, cold);
    }
  }
  return glare;
}
