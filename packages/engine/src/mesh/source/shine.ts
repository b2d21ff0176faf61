import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { holdBelow } from '@guise/kernels/face/mend.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { COARSE_SIDE, perLayout, residentCopy } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';
import { colourTells } from '../skin/not-skin.ts';

/** Share of the shine to remove; the rest shows the face's shape. */
const TAKEN_SHARE = 0.8;
/**
 * Redness divided by luma, compared with the skin around. 0 at `from`: the texel is lit skin; 1 at
 * `to`: it shines.
 */
const SHINY_REDNESS: Ramp = { from: 0.97, to: 0.75 };
/**
 * Brightness beyond that of the skin around. 0 at `from`: the texel is lit; 1 at `to`: it shines.
 * Shine is taken off down to `from`, or a ring around it would stay brighter.
 */
const SHINY_BRIGHTNESS: Ramp = { from: 0.22, to: 0.55 };

/**
 * 1 over features that may shine: eyes and lips. A bright nostril is the rim of a nose against the
 * light.
 */
const shiningFeatures = perLayout(({ features, nostrils }: RegionMasks): Float32Array =>
  residentCopy(features.map((feature, i) => feature * (1 - nostrils[i]!))),
);

/**
 * Removes shine from a source's skin, in place. Reflections of the light are brighter than the skin
 * around (`light`, `small`: the atlas in a coarse atlas) and not redder, because they add white to
 * its colour (dichromatic reflection: Shafer, 1985). On other skin, in other light, they would be
 * patches.
 */
export function dullShine(
  atlas: Atlas,
  small: Atlas,
  light: Light,
  layout: RegionMasks,
  make: PlaneMaker = ordinaryPlanes,
): void {
  const count = COARSE_SIDE * COARSE_SIDE;
  const shine = make.floats(count);
  for (let i = 0; i < count; i++) {
    const above = small.luma[i]! / (light.luma[i]! + 1) - 1;
    if (above <= SHINY_BRIGHTNESS.from) continue;
    const redness =
      (small.red[i]! * (light.luma[i]! + LUMA_NOISE_FLOOR)) /
      ((small.luma[i]! + LUMA_NOISE_FLOOR) * Math.max(1, light.red[i]!));
    shine[i] = colourTells(light.red[i]!) * ramp(SHINY_BRIGHTNESS, above) * ramp(SHINY_REDNESS, redness);
  }
  boxBlur(shine, COARSE_SIDE, COARSE_SIDE, 1, 1);
  if (!shows(shine)) return;
  const held = make.copyOf(light.luma);
  for (let i = 0; i < count; i++) held[i]! *= 1 + SHINY_BRIGHTNESS.from;
  holdBelow(
    atlas,
    { ...light, luma: held },
    shine,
    shiningFeatures(layout),
    COARSE_SIDE,
    atlas.side,
    TAKEN_SHARE,
  );
}

function shows(values: Float32Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i]! !== 0) return true;
  return false;
}
