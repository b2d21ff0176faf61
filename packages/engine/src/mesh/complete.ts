import { boxBlur } from '@guise/kernels/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/plane-scale.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from './atlas.ts';
import { LIGHT_SIDE } from './atlas-layout.ts';

/** Facing below which a texel is too foreshortened to trust, and above which it needs no help, of a face seen from the front and in profile. */
const HIDDEN = [0.04, 0.2] as const;
const CLEAR = [0.24, 0.5] as const;
/** Degrees of yaw between which the outline of the far side becomes a guess of the landmarks: it may lie on what is behind the face. */
const KNOWN_OUTLINE = 25;
const GUESSED_OUTLINE = 40;
/** By how much more than the texel its mirror must face the camera to help at all, and in full. */
const LEAST_GAIN = 0.02;
const FULL_GAIN = 0.25;
/** Blurred shares are raised by this: what is hidden is not to shine through at its edge. */
const SPREAD = 1.6;

/**
 * Where the face turns away, its texels are replaced by the mirrored ones, in place: by how hidden the texel is and how
 * well its mirror is seen, faded softly (a nose hides its side from one texel to the next), never cut. `yaw`: degrees. Returns how
 * much of each light-size texel was replaced, 0..1; null where nothing was.
 */
export function completeByMirror(
  atlas: Atlas,
  yaw: number,
  make: PlaneMaker = ordinaryPlanes,
): Float32Array | null {
  const { side, luma, blue, red, facing } = atlas;
  const small = shareOf(shrinkSquare(facing, side, LIGHT_SIDE), yaw);
  if (!small) return null;
  const shares = enlargeSquare(small, LIGHT_SIDE, side / LIGHT_SIDE, make.unset(side * side));
  for (let y = 0; y < side; y++) {
    for (let a = y * side, b = a + side - 1; a < b; a++, b--) {
      const share = shares[a]! > shares[b]! ? shares[a]! : shares[b]!;
      if (share === 0) continue;
      // Only one of the two can be the worse.
      const to = shares[a]! > shares[b]! ? a : b;
      const from = a + b - to;
      luma[to]! += share * (luma[from]! - luma[to]!);
      blue[to]! += share * (blue[from]! - blue[to]!);
      red[to]! += share * (red[from]! - red[to]!);
      if (facing[from]! > facing[to]!) facing[to]! += share * (facing[from]! - facing[to]!);
    }
  }
  return small;
}

/** How much of each light-size texel its mirror replaces; null where none is. */
function shareOf(facing: Float32Array, yaw: number): Float32Array | null {
  const guessed = smoothstep(KNOWN_OUTLINE, GUESSED_OUTLINE, Math.abs(yaw));
  const hidden = HIDDEN[0] + guessed * (HIDDEN[1] - HIDDEN[0]);
  const clear = CLEAR[0] + guessed * (CLEAR[1] - CLEAR[0]);
  const share = new Float32Array(facing.length);
  let any = false;
  for (let y = 0; y < LIGHT_SIDE; y++) {
    for (let a = y * LIGHT_SIDE, b = a + LIGHT_SIDE - 1; a < b; a++, b--) {
      const worse = Math.min(facing[a]!, facing[b]!);
      const better = Math.max(facing[a]!, facing[b]!);
      if (worse >= clear || better <= worse + LEAST_GAIN) continue;
      any = true;
      share[facing[a]! < facing[b]! ? a : b] =
        smoothstep(clear, hidden, worse) * smoothstep(worse + LEAST_GAIN, worse + FULL_GAIN, better);
    }
  }
  if (!any) return null;
  boxBlur(share, LIGHT_SIDE, LIGHT_SIDE, 1, 2);
  for (let i = 0; i < share.length; i++) share[i] = Math.min(1, SPREAD * share[i]!);
  return share;
}
