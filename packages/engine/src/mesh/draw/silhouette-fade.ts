import type { Ramp } from '@guise/kernels/ramp.ts';

/** Facing of the target's surface over which the swapped face fades in at the silhouette. */
export const SILHOUETTE_FADE: Ramp = { from: 0.03, to: 0.14 };
