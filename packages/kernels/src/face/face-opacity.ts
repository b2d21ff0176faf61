import {
  faceOpacity as plainFaceOpacity,
  type OpacityPlanes,
  type OpacityShares,
} from '../plain/face-opacity.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserveFor } from '../wasm/stage.ts';

export type { OpacityShares } from '../plain/face-opacity.ts';

/**
 * Writes to `out` how opaque a swapped face is, 0..1. The face is transparent where it is not
 * shown, in the eyes that stay, and where the surface turns away from the camera.
 */
export function faceOpacity(planes: OpacityPlanes, shares: OpacityShares, out: Float32Array): void {
  const { shown, softEyes, eyes, facing } = planes;
  if (!fitsStage(5 * out.byteLength)) {
    plainFaceOpacity(planes, shares, out);
    return;
  }
  const at = reserveFor(out);
  const { from, to, eyeGain } = shares;
  kernels().faceOpacity(
    copyIn(shown),
    copyIn(softEyes),
    copyIn(eyes),
    copyIn(facing),
    out.length,
    from,
    to,
    eyeGain,
    at,
  );
  copyOut(out, at);
}
