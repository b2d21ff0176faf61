import { boxBlur } from '../filter/box-blur.ts';
import { normalisedBlur } from '../filter/normalised-blur.ts';
import { pushPull } from '../filter/push-pull.ts';
import { boxBlur as plainBoxBlur } from '../plain/box-blur.ts';
import { normalisedBlur as plainNormalisedBlur } from '../plain/normalised-blur.ts';
import { pushPull as plainPushPull } from '../plain/push-pull.ts';
import { type ArrayMaker, type KernelCase, RELATIVE, twoPlanes, weights } from './kernel-case.ts';

export function blurCases(make: ArrayMaker, width: number, height: number, side: number): KernelCase[] {
  const count = width * height;
  const scratch = make.floats(count);
  const boxes = [1, 4, 21].map((radius) => {
    const [a, b] = twoPlanes(make, count);
    return {
      name: `box blur, radius ${radius}`,
      pixels: count,
      bytes: 8 * count,
      tolerance: RELATIVE,
      kernel: () => (boxBlur(a, width, height, radius, 1), [a]),
      reference: () => (plainBoxBlur(b, width, height, radius, 1, scratch), [b]),
    };
  });
  const [a, b] = twoPlanes(make, count);
  const weight = weights(make, count);
  const squares = [twoPlanes(make, side * side), twoPlanes(make, side * side), twoPlanes(make, side * side)];
  const squareWeight = weights(make, side * side);
  return [
    ...boxes,
    {
      name: 'normalised blur, radius 4',
      pixels: count,
      bytes: 12 * count,
      tolerance: RELATIVE,
      kernel: () => (normalisedBlur([a], weight, width, height, 4), [a]),
      reference: () => (plainNormalisedBlur([b], weight, width, height, 4), [b]),
    },
    {
      name: 'push-pull, 3 planes',
      pixels: 3 * side * side,
      bytes: 28 * side * side,
      tolerance: RELATIVE,
      kernel: () => {
        const planes = squares.map((each) => each[0]);
        pushPull(planes, squareWeight, side);
        return planes;
      },
      reference: () => {
        const planes = squares.map((each) => each[1]);
        plainPushPull(planes, squareWeight, side);
        return planes;
      },
    },
  ];
}
