import type { Ramp } from '@guise/kernels/ramp.ts';

/** Target's facing, from where the swapped face is transparent to where it is opaque. */
export const SILHOUETTE_FADE: Ramp = { from: 0.03, to: 0.14 };
