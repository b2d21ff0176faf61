import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { addEnlarged } from '@guise/kernels/face/relight.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { ZONES, zonePlane } from '../uv/zones.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';

/**
 * Share of unfilled skin around a texel. 0 at `from`: its fill is not changed, because it already
 * has the tone of that skin; 1 at `to`: it is fully matched.
 */
const FAR_FROM_SKIN: Ramp = { from: 0.5, to: 0.1 };
/** Box radius of the surroundings of a texel, coarse texels; applied twice. */
const AROUND_RADIUS_TEXELS = 4;

/** Zone whose light is matched; above it, a fill rightly continues the cheek. */
const settledZone = perLayout(({ oval, features }: RegionMasks): Float32Array =>
  zonePlane(COARSE_SIDE, ZONES.jaw).map((share, i) => share * oval[i]! * (1 - features[i]!)),
);

/** Share of each texel's surroundings inside the oval. */
const ovalAround = perLayout(({ oval }: RegionMasks): Float32Array => {
  const around = oval.slice();
  boxBlur(around, COARSE_SIDE, COARSE_SIDE, AROUND_RADIUS_TEXELS, 2);
  return around;
});

/**
 * Changes the filled part of a source's jaw, in place, to the tone of the light there. A fill
 * continues the cheeks above it, but the light gets darker towards the neck, so the jaw would show
 * a pale strip. `kept`, 0..1: skin that was not filled. `small`: the atlas in a coarse atlas.
 */
export function matchFillToLight(
  atlas: Atlas,
  small: Atlas,
  light: Light,
  kept: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
): void {
  const { oval } = layout;
  const coarseLayout = layout.at(COARSE_SIDE);
  const near = make.copyOf(kept);
  for (let i = 0; i < near.length; i++) near[i]! *= coarseLayout.oval[i]!;
  boxBlur(near, COARSE_SIDE, COARSE_SIDE, AROUND_RADIUS_TEXELS, 2);
  const share = make.copyOf(settledZone(coarseLayout));
  const inside = ovalAround(coarseLayout);
  for (let i = 0; i < share.length; i++) {
    if (share[i] !== 0) share[i]! *= (1 - kept[i]!) * ramp(FAR_FROM_SKIN, near[i]! / inside[i]!);
  }
  settle(atlas.luma, small.luma, light.luma, share, oval, make);
  settle(atlas.blue, small.blue, light.blue, share, oval, make);
  settle(atlas.red, small.red, light.red, share, oval, make);
}

function settle(
  plane: Float32Array,
  small: Float32Array,
  wanted: Float32Array,
  share: Float32Array,
  oval: Float32Array,
  make: PlaneMaker,
): void {
  const steps = make.uninitialised(share.length);
  for (let i = 0; i < steps.length; i++) {
    steps[i] = share[i]! * (wanted[i]! - small[i]!);
    small[i]! += steps[i]!;
  }
  addEnlarged(plane, steps, oval, COARSE_SIDE, Math.sqrt(plane.length));
}
