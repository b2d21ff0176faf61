import { kernels } from './kernels.ts';
import { faceOpacity as plainFaceOpacity } from './plain/face-opacity.ts';
import { fetch, fitsStage, lend, lendEmpty } from './stage.ts';

/** Planes of one length, a multiple of 4, 0..1. */
export interface OpacityPlanes {
  /** Where the face is drawn. */
  readonly shown: Float32Array;
  /** Depth in the target's eyes, which stay where no others are painted. */
  readonly softEyes: Float32Array;
  /** Opacity of the eyes that are painted. */
  readonly eyes: Float32Array;
  /** How much the surface looks at the camera. */
  readonly facing: Float32Array;
}

/** Where a face fades in: between two facings, and how steeply in from the edges of the eyes. */
export interface OpacityShares {
  readonly from: number;
  readonly to: number;
  readonly eyeGain: number;
}

/** How opaque a swapped face is, 0..1, written to `out`: where it is shown, less the eyes that stay, less what turns away. */
export function faceOpacity(planes: OpacityPlanes, shares: OpacityShares, out: Float32Array): void {
  const { shown, softEyes, eyes, facing } = planes;
  if (!fitsStage(5 * out.byteLength)) {
    plainFaceOpacity(planes, shares, out);
    return;
  }
  const at = lendEmpty(out);
  const { from, to, eyeGain } = shares;
  kernels().faceOpacity(
    lend(shown),
    lend(softEyes),
    lend(eyes),
    lend(facing),
    out.length,
    from,
    to,
    eyeGain,
    at,
  );
  fetch(out, at);
}
