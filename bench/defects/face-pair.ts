import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import type { Atlas } from '../../packages/engine/src/mesh/uv/atlas.ts';
import { unwrapFace } from '../../packages/engine/src/mesh/uv/atlas.ts';
import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';

/** Side of the atlases in which defects are measured, texels. */
export const DEFECT_SIDE = 512;
/** Texels with a smaller facing are not measured. */
const MIN_FACING = 0.3;

/** The faces of a swap's result and of its target, unwrapped into the same atlas. */
export interface FacePair {
  readonly layout: AtlasLayout;
  readonly output: Atlas;
  readonly target: Atlas;
}

/**
 * Unwraps both faces.
 * @param outputFace the face found in the result; its features are not exactly at the target's
 * places
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

/** Returns the texels of a zone that are visible in both faces. */
export function seenTexels({ output, target }: FacePair, zone: Float32Array): number[] {
  const texels: number[] = [];
  for (let i = 0; i < zone.length; i++)
    if (zone[i]! > 0.5 && output.facing[i]! >= MIN_FACING && target.facing[i]! >= MIN_FACING) texels.push(i);
  return texels;
}

/** Returns the quantile of the values below which this share of them lies: 0.5 gives the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
