import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import type { Atlas } from '../../packages/engine/src/mesh/uv/atlas.ts';
import { unwrapFace } from '../../packages/engine/src/mesh/uv/atlas.ts';
import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';

/** Side of the atlases in which defects are measured, texels. */
export const DEFECT_SIDE = 512;
/** Facing below which a texel says nothing. */
const MIN_FACING = 0.3;

/** The face of a swap's result and that of its target, spread out alike. */
export interface FacePair {
  readonly layout: AtlasLayout;
  readonly output: Atlas;
  readonly target: Atlas;
}

/**
 * Spreads both faces out.
 * @param outputFace as it was found in the result: its features lie a little elsewhere
 */
export function facePair(
  layout: AtlasLayout,
  [output, outputFace]: readonly [RgbImage, Face],
  [target, targetFace]: readonly [RgbImage, Face],
): FacePair {
  return {
    layout,
    output: unwrapFace(layout, pyramidOf(output), outputFace.landmarks),
    target: unwrapFace(layout, pyramidOf(target), targetFace.landmarks),
  };
}

/** Lists the texels of a zone that both faces show. */
export function seenTexels({ output, target }: FacePair, zone: Float32Array): number[] {
  const texels: number[] = [];
  for (let i = 0; i < zone.length; i++)
    if (zone[i]! > 0.5 && output.facing[i]! >= MIN_FACING && target.facing[i]! >= MIN_FACING) texels.push(i);
  return texels;
}

/** Returns the share of the sorted values that lie below the result: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
