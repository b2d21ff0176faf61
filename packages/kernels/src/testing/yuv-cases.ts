import * as plainReduce from '../plain/reduce-region.ts';
import * as plainYuv from '../plain/yuv-region.ts';
import { reduceLuma, reduceRegion } from '../yuv/reduce-region.ts';
import { addRgbDifference, regionToRgb } from '../yuv/yuv-region.ts';
import { noiseBytes } from './case-noise.ts';
import type { ArrayMaker, KernelCase } from './kernel-case.ts';

/** BT.709 matrix, limited range. */
const TO_RGB = { blackLuma: 16, luma: 9539, rCr: 14_686, gCb: -1747, gCr: -4366, bCb: 17_305 };
const TO_YUV = {
  yR: 1496,
  yG: 5032,
  yB: 508,
  cbR: -825,
  cbG: -2774,
  cbB: 3598,
  crR: 3598,
  crG: -3268,
  crB: -330,
};

const RELATIVE = 1e-6;
/**
 * Factors, each with the column at which the region begins. Chroma samples lie at every second
 * column.
 */
const REDUCED = [
  [2, 0],
  [2, 1],
  [3, 1],
  [4, 0],
  [4, 1],
  [6, 0],
] as const;

/** Lists cases of the kernels that read and write a frame's own planes. */
export function yuvCases(make: ArrayMaker, width: number, height: number): KernelCase[] {
  const [frame, otherFrame] = [yuvFrame(make, width, height), yuvFrame(make, width, height)];
  const region = {
    x: width >> 3,
    y: height >> 3,
    width: width - (width >> 2),
    height: height - (height >> 2),
  };
  const inside = region.width * region.height;
  const [rgb, otherRgb] = [make.bytes(3 * inside), make.bytes(3 * inside)];
  const [before, after] = [noiseBytes(make.bytes(3 * inside), 11), noiseBytes(make.bytes(3 * inside), 12)];
  return [
    {
      name: 'YUV to RGB',
      pixels: inside,
      bytes: 4.5 * inside,
      tolerance: 0,
      kernel: () => (regionToRgb(frame, TO_RGB, region, rgb), [rgb]),
      reference: () => (plainYuv.regionToRgb(otherFrame, TO_RGB, region, otherRgb), [otherRgb]),
    },
    {
      name: 'RGB difference to YUV',
      pixels: inside,
      bytes: 9 * inside,
      tolerance: 0,
      kernel: () => (addRgbDifference(frame, TO_YUV, region, before, after), frame.planes),
      reference: () => (
        plainYuv.addRgbDifference(otherFrame, TO_YUV, region, before, after),
        otherFrame.planes
      ),
    },
    ...reduceCases(make, width, height),
  ];
}

function reduceCases(make: ArrayMaker, width: number, height: number): KernelCase[] {
  const frame = yuvFrame(make, width, height);
  const [luma] = frame.planes as [Uint8Array];
  return REDUCED.flatMap(([factor, column]): KernelCase[] => {
    const x = Math.min(column, width - 1);
    const region = { x, y: 0, width: width - x, height };
    const count = Math.floor(region.width / factor) * Math.floor(height / factor);
    const [rgb, otherRgb] = [make.bytes(3 * count), make.bytes(3 * count)];
    const [means, otherMeans] = [make.floats(count), make.floats(count)];
    const pixels = count * factor * factor;
    return [
      {
        name: `YUV to RGB, reduced ${factor} times from column ${column} on`,
        pixels,
        bytes: 1.5 * pixels + 3 * count,
        tolerance: 0,
        kernel: () => (reduceRegion(frame, TO_RGB, factor, region, rgb), [rgb]),
        reference: () => (plainReduce.reduceRegion(frame, TO_RGB, factor, region, otherRgb), [otherRgb]),
      },
      {
        name: `luma, reduced ${factor} times from column ${column} on`,
        pixels,
        bytes: pixels + 4 * count,
        tolerance: RELATIVE,
        kernel: () => (reduceLuma(luma, frame.strides[0]!, region, factor, means), [means]),
        reference: () => (
          plainReduce.reduceLuma(luma, frame.strides[0]!, region, factor, otherMeans),
          [otherMeans]
        ),
      },
    ];
  });
}

function yuvFrame(make: ArrayMaker, width: number, height: number) {
  const halfWidth = (width + 1) >> 1;
  const halfHeight = (height + 1) >> 1;
  // Rows are padded, as in frames of a decoder.
  const strides = [width + 5, halfWidth + 3, halfWidth + 7];
  const heights = [height, halfHeight, halfHeight];
  const planes = strides.map((stride, k) => noiseBytes(make.bytes(stride * heights[k]!), 21 + k));
  return { planes, strides, width, height };
}
