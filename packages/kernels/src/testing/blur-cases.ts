import { averageAlong } from '../filter/average-along.ts';
import { boxBlur } from '../filter/box-blur.ts';
import { dilate, erode } from '../filter/extremes.ts';
import { addToCells, type LineArea, linesAcross } from '../filter/lines-across.ts';
import { normalisedBlur } from '../filter/normalised-blur.ts';
import { pushPull } from '../filter/push-pull.ts';
import { maxInPlace } from '../filter/max-in-place.ts';
import { averageAlong as plainAverageAlong } from '../plain/average-along.ts';
import { boxBlur as plainBoxBlur } from '../plain/box-blur.ts';
import { extremes as plainExtremes } from '../plain/extremes.ts';
import * as plainLines from '../plain/lines-across.ts';
import { maxInPlace as plainMaxInPlace } from '../plain/max-in-place.ts';
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
  const filters = [1, 3, 6].flatMap((radius) =>
    ([1, -1] as const).map((sign) => {
      const [a, b] = twoPlanes(make, count);
      const filter = sign === 1 ? dilate : erode;
      return {
        name: `${sign === 1 ? 'largest' : 'smallest'} around, radius ${radius}`,
        pixels: count,
        bytes: 8 * count,
        tolerance: 0,
        kernel: () => (filter(a, width, height, radius), [a]),
        reference: () => (plainExtremes(b, width, height, radius, sign), [b]),
      };
    }),
  );
  const [line, means, plainMeans] = [make.floats(count), make.floats(count), make.floats(count)];
  line.set(twoPlanes(make, count)[0]);
  const offsets = Int32Array.from([-2, -1, 0, 1, 2], (k) => k * (width + 1));
  const reach = 2 * (width + 1);
  const [a, b] = twoPlanes(make, count);
  const weight = weights(make, count);
  const [raised, plainRaised] = [make.floats(count), make.floats(count)];
  for (const plane of [raised, plainRaised]) for (let i = 0; i < count; i++) plane[i] = (i % 5) / 5;
  // Some values are NaN, and the number of columns that count is even.
  const holed = twoPlanes(make, count)[0].map((value, i) => (i % 11 === 3 ? NaN : value));
  const across: LineArea = {
    width,
    top: 0,
    rows: height,
    from: 1,
    to: 1 + 2 * Math.max(0, (width - 2) >> 1),
  };
  const [found, plainFound] = [make.floats(count), make.floats(count)];
  const columns = Math.max(0, (width - 4) >> 2);
  const cells = {
    start: width >> 1,
    isLeftwards: true,
    columns,
    width: 2,
    height: 3,
    shares: weights(make, 2 * columns * height),
    channels: 2,
  };
  const cellCount = 2 * columns * Math.ceil(height / 3);
  const [sums, plainSums] = [make.floats(cellCount), make.floats(cellCount)];
  const squares = [twoPlanes(make, side * side), twoPlanes(make, side * side), twoPlanes(make, side * side)];
  const squareWeight = weights(make, side * side);
  return [
    ...boxes,
    ...filters,
    {
      name: 'largest of two planes',
      pixels: count,
      bytes: 12 * count,
      tolerance: 0,
      kernel: () => (maxInPlace(raised, weight), [raised]),
      reference: () => (plainMaxInPlace(plainRaised, weight), [plainRaised]),
    },
    {
      name: 'average along a line',
      pixels: count,
      bytes: 8 * count,
      tolerance: 0,
      kernel: () => (averageAlong(line, offsets, means), [means]),
      reference: () => (plainAverageAlong(line, offsets, reach, count - reach, plainMeans), [plainMeans]),
    },
    {
      name: 'lines across',
      pixels: count,
      bytes: 8 * count,
      tolerance: RELATIVE,
      kernel: () => {
        const mean = linesAcross(holed, across, 1, found);
        return [found, Float32Array.of(mean ?? -1)];
      },
      reference: () => {
        const mean = plainLines.linesAcross(holed, across, 1, plainFound);
        return [plainFound, Float32Array.of(mean ?? -1)];
      },
    },
    {
      name: 'lines in cells',
      pixels: count,
      bytes: 8 * count,
      tolerance: 0,
      kernel: () => (addToCells(line, across, cells, 40, 0, sums), [sums]),
      reference: () => (plainLines.addToCells(line, across, cells, 40, 0, plainSums), [plainSums]),
    },
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
