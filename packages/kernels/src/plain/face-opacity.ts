import { smoothstep } from '../smoothstep.ts';

/** Planes of one length, a multiple of 4, with values of 0..1. */
export interface OpacityPlanes {
  /** Mask of the area in which the face is drawn. */
  readonly shown: Float32Array;
  /** Depth in the target's eyes, which stay where no other eyes are painted. */
  readonly softEyes: Float32Array;
  /** Opacity of the eyes that are painted. */
  readonly eyes: Float32Array;
  /** Degree to which the surface faces the camera. */
  readonly facing: Float32Array;
}

/** Limits between which a face fades in. */
export interface OpacityShares {
  /** Facing up to which the face is transparent. */
  readonly from: number;
  /** Facing from which the face is opaque. */
  readonly to: number;
  /** Steepness of the fade from the edges of the eyes inwards. */
  readonly eyeGain: number;
}

/** Reference version of the kernel in ../face/face-opacity.ts. */
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
