import type { Atlas } from '../uv/atlas.ts';
import { paintedAtlas } from './painted-atlas.ts';

/**
 * Paints a face for tests that has one luma, and another one in a square of `across` texels, an
 * even number, in its middle.
 */
export function spottedFace(side: number, across: number, luma: number, spotLuma: number): Atlas {
  const isSpot = (at: number): boolean => Math.abs(at - 0.5) < across / side / 2;
  return paintedAtlas(side, (u, v) => [isSpot(u) && isSpot(v) ? spotLuma : luma, -10, 15]);
}
