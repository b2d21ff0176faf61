import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from './atlas.ts';

/** Facing below which a texel is too foreshortened to trust, and above which it needs no help. */
const HIDDEN = 0.04;
const CLEAR = 0.24;
/** By how much more than the texel its mirror must face the camera to help at all, and in full. */
const LEAST_GAIN = 0.02;
const FULL_GAIN = 0.25;

/**
 * Where the face turns away, its texels are replaced by the mirrored ones, in place: by how hidden the texel is and how
 * well its mirror is seen, faded, never cut.
 */
export function completeByMirror(atlas: Atlas): void {
  const { side, luma, blue, red, facing } = atlas;
  const half = side >> 1;
  for (let y = 0; y < side; y++) {
    const start = y * side;
    for (let x = 0; x < half; x++) {
      const a = start + x;
      const b = start + side - 1 - x;
      const fa = facing[a]!;
      const fb = facing[b]!;
      if (fa >= CLEAR && fb >= CLEAR) continue;
      // Only one of the two can be the worse.
      const to = fa < fb ? a : b;
      const from = fa < fb ? b : a;
      const worse = fa < fb ? fa : fb;
      const better = fa < fb ? fb : fa;
      if (better <= worse + LEAST_GAIN) continue;
      const share =
        smoothstep(CLEAR, HIDDEN, worse) * smoothstep(worse + LEAST_GAIN, worse + FULL_GAIN, better);
      if (share === 0) continue;
      luma[to]! += share * (luma[from]! - luma[to]!);
      blue[to]! += share * (blue[from]! - blue[to]!);
      red[to]! += share * (red[from]! - red[to]!);
      facing[to] = worse + share * (better - worse);
    }
  }
}
