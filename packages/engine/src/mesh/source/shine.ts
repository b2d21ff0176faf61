import { holdBelow } from '@guise/kernels/mend.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { boxBlur } from '@guise/kernels/box-blur.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { LIGHT_SIDE } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';
import { colourTells } from '../skin/skin-model.ts';

/** Share of the shine that is taken off: some of it tells the face's shape. */
const TAKEN = 0.8;
/** Redness over luma against the skin's own around: what is as red as that is lit, what has this little is shine. */
const MATT = 0.97;
const SHINY = 0.75;
/** Brighter than the skin around by these shares of its luma. */
const BRIGHTER = 0.3;
const BRIGHT = 0.55;
/**
 * Takes the shine off a source's skin, in place: reflections of the light itself are brighter than the skin around (`light`,
 * `small`: the atlas in light size) and no redder, as they add white to its colour (dichromatic reflection: Shafer, 1985). On another skin,
 * under other light, they would be patches.
 */
export function dullShine(
  atlas: Atlas,
  small: Atlas,
  light: Light,
  layout: RegionMasks,
  make: PlaneMaker = ordinaryPlanes,
): void {
  const count = LIGHT_SIDE * LIGHT_SIDE;
  const shine = make.floats(count);
  for (let i = 0; i < count; i++) {
    const above = small.luma[i]! / (light.luma[i]! + 1) - 1;
    if (above <= BRIGHTER) continue;
    const redness =
      (small.red[i]! * (light.luma[i]! + LUMA_NOISE_FLOOR)) /
      ((small.luma[i]! + LUMA_NOISE_FLOOR) * Math.max(1, light.red[i]!));
    shine[i] =
      colourTells(light.red[i]!) * smoothstep(BRIGHTER, BRIGHT, above) * smoothstep(MATT, SHINY, redness);
  }
  boxBlur(shine, LIGHT_SIDE, LIGHT_SIDE, 1, 1);
  if (!shows(shine)) return;
  holdBelow(atlas, light, shine, layout.features, LIGHT_SIDE, atlas.side, TAKEN);
}

function shows(values: Float32Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i]! !== 0) return true;
  return false;
}
