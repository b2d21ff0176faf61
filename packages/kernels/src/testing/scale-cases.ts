import * as plainScale from '../plain/plane-scale.ts';
import { enlargeSquare, halvePlane } from '../scale/plane-scale.ts';
import { noise } from './case-noise.ts';
import { type ArrayMaker, type KernelCase, RELATIVE } from './kernel-case.ts';

export function scaleCases(make: ArrayMaker, width: number, height: number, side: number): KernelCase[] {
  const plane = noise(make.floats(4 * width * height), 3);
  const half = make.floats(width * height);
  const square = noise(make.floats(side * side), 3);
  const count = side * side;
  return [
    {
      name: 'halve a plane',
      pixels: 4 * width * height,
      bytes: 20 * width * height,
      tolerance: RELATIVE,
      kernel: () => [halvePlane(plane, 2 * width, 2 * height, half)],
      reference: () => [plainScale.halvePlane(plane, 2 * width, 2 * height)],
    },
    ...[2, 4, 8].map((factor) => {
      const large = make.floats(factor * factor * count);
      return {
        name: `enlarge a plane ${factor} times`,
        pixels: factor * factor * count,
        bytes: 4 * (1 + factor * factor) * count,
        tolerance: RELATIVE,
        kernel: () => [enlargeSquare(square, side, factor, large)],
        reference: () => [plainScale.enlargeSquare(square, side, factor)],
      };
    }),
  ];
}
