import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { mixMirrored } from '@guise/kernels/face/mix-mirrored.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import { SmallerAtlases } from '../uv/smaller-atlases.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { facingOfHalves } from '../uv/facing-of-halves.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import { noseZone } from '../uv/nose-zone.ts';

/** Facing of a texel. 0 at `from`: its mirror image replaces it; 1 at `to`: it is kept. */
const TRUSTED_FACING: Ramp = { from: 0.04, to: 0.24 };
/** Like `TRUSTED_FACING`, for a face in profile. */
const TRUSTED_FACING_IN_PROFILE: Ramp = { from: 0.3, to: 0.65 };
/**
 * Mean facing of the far half's bare skin. 0 at `from`: its outline is seen; 1 at `to`: the mesh
 * guesses its outline, which may be on the background. Measured: 0.46 at 25 degrees, 0.24 at 42.
 */
const GUESSED_OUTLINE_FACING: Ramp = { from: 0.56, to: 0.46 };
/**
 * Relative darkness of the mirror image. 0 at `from`: it shows hair, and is not used; 1 at `to`: it
 * shows skin.
 */
const HAIR_DARKNESS: Ramp = { from: 0.35, to: 0.2 };
/** Facing of the mirror image minus the texel's. 0 at `from`: it is not used; 1 at `to`: fully. */
const MIRROR_GAIN: Ramp = { from: 0.02, to: 0.25 };
/** Gain of the blurred shares, so that nothing hidden shows through at the edge. */
const SHARE_GAIN = 1.6;
/**
 * Radius in which the light of visible texels is used for hidden ones, coarse texels: the wing of a
 * nose.
 */
const LIGHT_RADIUS_TEXELS = 2;

/**
 * Replaces texels that face away by the mirrored ones, in place. The share depends on how hidden
 * the texel is and how well its mirror image shows, and changes softly, because a nose hides its
 * side from one texel to the next.
 * @param coarseFacing the atlas's `facing`, shrunk
 * @returns how much of each coarse texel was replaced, 0..1; null where nothing was
 */
export function completeByMirror(
  atlas: Atlas,
  small: AtlasLayout,
  coarseFacing: Float32Array,
  make: PlaneMaker = ordinaryPlanes,
  smaller: SmallerAtlases = new SmallerAtlases(atlas, make),
): Float32Array | null {
  const coarseLuma = smaller.plane('luma', COARSE_SIDE);
  const guessed = ramp(GUESSED_OUTLINE_FACING, Math.min(...facingOfHalves(coarseFacing, small.core)));
  const shares = shareOf(coarseFacing, coarseLuma, guessed, make);
  if (!shares) return null;
  const { share, seen } = shares;
  const steps = (['luma', 'blue', 'red'] as const).map((name) =>
    stepOf(smaller.plane(name, COARSE_SIDE), make),
  );
  normalisedBlur(steps, seen, COARSE_SIDE, COARSE_SIDE, LIGHT_RADIUS_TEXELS);
  for (const step of steps) scale(step, noseZone(small), 1 - guessed);
  const [lumaStep, blueStep, redStep] = steps as [Float32Array, Float32Array, Float32Array];
  // Of two texels that mirror each other, only one can be the worse.
  mixMirrored(atlas, share, { luma: lumaStep, blue: blueStep, red: redStep }, COARSE_SIDE, atlas.side);
  smaller.forget();
  return share;
}

/** Subtracts a coarse plane's mirror image from it. */
function stepOf(plane: Float32Array, make: PlaneMaker): Float32Array {
  const step = make.uninitialised(plane.length);
  for (let row = 0; row < plane.length; row += COARSE_SIDE)
    for (let a = row, b = row + COARSE_SIDE - 1; b >= row; a++, b--) step[a] = plane[a]! - plane[b]!;
  return step;
}

function scale(plane: Float32Array, zone: Float32Array, share: number): void {
  for (let i = 0; i < plane.length; i++) plane[i]! *= share * zone[i]!;
}

interface Shares {
  /** Share of each coarse texel that its mirror image replaces. */
  readonly share: Float32Array;
  /** How well the camera sees both the texel and its mirror image. */
  readonly seen: Float32Array;
}

/** Returns null if nothing is replaced. */
function shareOf(facing: Float32Array, luma: Float32Array, guessed: number, make: PlaneMaker): Shares | null {
  const frontal = TRUSTED_FACING;
  const profile = TRUSTED_FACING_IN_PROFILE;
  const share = make.floats(facing.length);
  const seen = make.uninitialised(facing.length);
  let any = false;
  for (let y = 0; y < COARSE_SIDE; y++) {
    for (let a = y * COARSE_SIDE, b = a + COARSE_SIDE - 1; a < b; a++, b--) {
      const [far, near] = facing[a]! < facing[b]! ? [a, b] : [b, a];
      const worse = facing[far]!;
      const better = facing[near]!;
      const doubt = guessed && guessed * ramp(HAIR_DARKNESS, relativeDarkness(luma[far]!, luma[near]!));
      const hidden = frontal.from + doubt * (profile.from - frontal.from);
      const clear = frontal.to + doubt * (profile.to - frontal.to);
      seen[a] = seen[b] = smoothstep(hidden, clear, worse);
      if (worse >= clear || better <= worse + MIRROR_GAIN.from) continue;
      any = true;
      share[far] = (1 - seen[a]!) * smoothstep(worse + MIRROR_GAIN.from, worse + MIRROR_GAIN.to, better);
    }
  }
  if (!any) return null;
  boxBlur(share, COARSE_SIDE, COARSE_SIDE, 1, 2);
  for (let i = 0; i < share.length; i++) share[i] = Math.min(1, SHARE_GAIN * share[i]!);
  return { share, seen };
}
