import { blurCases } from './blur-cases.ts';
import { faceCases } from './face-cases.ts';
import { gridCases } from './grid-cases.ts';
import { imageCases } from './image-cases.ts';
import type { ArrayMaker, KernelCase } from './kernel-case.ts';
import { pictureCases } from './picture-cases.ts';
import { pointCases } from './point-cases.ts';
import { scaleCases } from './scale-cases.ts';
import { triangleCases } from './triangle-cases.ts';
import { yuvCases } from './yuv-cases.ts';

/** Width, height and side of the cases in kernel-goldens.json. */
export const GOLDEN_SIZE = [37, 29, 16] as const;

const GOLDEN_COUNT = 8;

/** Picks values from all over the results, with six digits each. */
export function samplesOf(arrays: readonly (Float32Array | Uint8Array)[]): number[] {
  const values = arrays.flatMap((array) => Array.from(array));
  return Array.from({ length: GOLDEN_COUNT }, (_, k) =>
    Number(values[Math.floor(((k + 0.5) / GOLDEN_COUNT) * values.length)]!.toPrecision(6)),
  );
}

/**
 * Lists the cases of all kernels.
 * @param width of planes that are not square, at least 1
 * @param height of planes that are not square, at least 1
 * @param side of square planes, a power of two
 */
export function kernelCases(make: ArrayMaker, width: number, height: number, side: number): KernelCase[] {
  return [
    ...blurCases(make, width, height, side),
    ...scaleCases(make, width, height, side),
    ...imageCases(make, width, height),
    ...yuvCases(make, width, height),
    ...triangleCases(make, width, height, side),
    ...(side % 4 === 0 ? pictureCases(make, side) : []),
    ...faceCases(make, width, height, side),
    ...pointCases(make, side),
    ...gridCases(make, width, height),
  ];
}
