import type { OpacityPlanes, OpacityShares } from '../face-opacity.ts';
import { smoothstep } from '../smoothstep.ts';

/** See ../face-opacity.ts. */
export function faceOpacity(
  { shown, softEyes, eyes, facing }: OpacityPlanes,
  { from, to, eyeGain }: OpacityShares,
  out: Float32Array,
): void {
  for (let i = 0; i < out.length; i++) {
    const own = Math.min(1, eyeGain * softEyes[i]!) * (1 - eyes[i]!);
    out[i] = shown[i]! * (1 - own) * smoothstep(from, to, facing[i]!);
  }
}
