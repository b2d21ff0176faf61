import { perLayout, residentCopy } from './atlas-layout.ts';
import type { RegionMasks } from './region-masks.ts';

/** 1 on bare skin, falling to 0 on brows, eyes, nostrils and lips and outside the oval. */
export const bareSkin = perLayout(({ oval, features, holes }: RegionMasks): Float32Array =>
  residentCopy(oval.map((inside, i) => (inside === 0 ? 0 : 1 - Math.max(features[i]!, holes[i]!)))),
);

/**
 * Computes the certainty that a texel is bare skin away from features, which must not affect a
 * fill.
 */
export function farFromFeatures({ oval, features, holes }: RegionMasks, texel: number): number {
  return oval[texel]! * Math.max(0, 1 - 3 * features[texel]!) * (1 - holes[texel]!);
}
