import type { Ramp } from '@guise/kernels/ramp.ts';

/** Facing of the target. 0 at `from`: the swapped face is transparent; 1 at `to`: it is opaque. */
export const SILHOUETTE_FADE: Ramp = { from: 0.03, to: 0.14 };
