import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';

/** Factor by which planes are reduced before smoothing, which removes the finest detail anyway. */
const REDUCTION = 2;

/**
 * Smooths planes of `side` squared into new planes. Only texels within the `zone` (0..1) count.
 * @param radius of the box, texels
 */
export function smoothedWithin(
  planes: readonly Float32Array[],
  zone: Float32Array,
  side: number,
  radius: number,
  make: PlaneMaker,
): readonly Float32Array[] {
  const small = side / REDUCTION;
  const reduced = [...planes, zone].map((plane) =>
    shrinkSquare(plane, side, small, make.uninitialised(small * small)),
  );
  const weight = reduced.pop()!;
  normalisedBlur(reduced, weight, small, small, Math.max(1, Math.round(radius / REDUCTION)));
  return reduced.map((plane) => enlargeSquare(plane, small, REDUCTION, make.uninitialised(side * side)));
}
