import { boxBlur } from './box-blur.ts';
import { halveImage } from './halve-image.ts';
import { normalisedBlur } from './normalised-blur.ts';
import { boxBlur as plainBoxBlur } from './plain/box-blur.ts';
import { halveImage as plainHalveImage } from './plain/halve-image.ts';
import { normalisedBlur as plainNormalisedBlur } from './plain/normalised-blur.ts';
import * as plainScale from './plain/plane-scale.ts';
import { pushPull as plainPushPull } from './plain/push-pull.ts';
import { warpImage as plainWarpImage } from './plain/warp-to-planes.ts';
import * as plainYuv from './plain/yuv-region.ts';
import { enlargeSquare, halvePlane } from './plane-scale.ts';
import { pushPull } from './push-pull.ts';
import { warpImage } from './warp.ts';
import { addRgbDifference, regionToRgb } from './yuv-region.ts';

/** One kernel beside its plain twin, on equal data of its own: for the tests and the bench. */
export interface KernelCase {
  readonly name: string;
  readonly pixels: number;
  /** What must be read and written at least once. */
  readonly bytes: number;
  /** How far results may be from the twin's, in shares of the twin's largest value; of 8-bit results in levels. */
  readonly tolerance: number;
  readonly kernel: () => readonly (Float32Array | Uint8Array)[];
  readonly twin: () => readonly (Float32Array | Uint8Array)[];
}

/** Where a case's arrays lie: ordinary memory, or a `Workspace`. */
export interface ArrayMaker {
  floats(count: number): Float32Array;
  bytes(count: number): Uint8Array;
}

const RELATIVE = 1e-5;

/** Width, height and side of the cases that kernel-goldens.json is of. */
export const GOLDEN_SIZE = [37, 29, 16] as const;
const GOLDEN_COUNT = 8;

/** Values from all over the results, six digits of each. */
export function samplesOf(arrays: readonly (Float32Array | Uint8Array)[]): number[] {
  const values = arrays.flatMap((array) => Array.from(array));
  return Array.from({ length: GOLDEN_COUNT }, (_, k) =>
    Number(values[Math.floor(((k + 0.5) / GOLDEN_COUNT) * values.length)]!.toPrecision(6)),
  );
}

/** @param side of square planes, a power of two; other planes are `width` x `height`, at least 1 x 1 */
export function kernelCases(make: ArrayMaker, width: number, height: number, side: number): KernelCase[] {
  return [
    ...blurCases(make, width, height, side),
    ...scaleCases(make, width, height, side),
    ...imageCases(make, width, height),
  ];
}

function blurCases(make: ArrayMaker, width: number, height: number, side: number): KernelCase[] {
  const count = width * height;
  const scratch = make.floats(count);
  const boxes = [1, 4, 21].map((radius) => {
    const [a, b] = twoPlanes(make, count);
    return {
      name: `box blur, radius ${radius}`,
      pixels: count,
      bytes: 8 * count,
      tolerance: RELATIVE,
      kernel: () => (boxBlur(a, scratch, width, height, radius, 1), [a]),
      twin: () => (plainBoxBlur(b, scratch, width, height, radius, 1), [b]),
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
      twin: () => (plainNormalisedBlur([b], weight, width, height, 4), [b]),
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
      twin: () => {
        const planes = squares.map((each) => each[1]);
        plainPushPull(planes, squareWeight, side);
        return planes;
      },
    },
  ];
}

function scaleCases(make: ArrayMaker, width: number, height: number, side: number): KernelCase[] {
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
      twin: () => [plainScale.halvePlane(plane, 2 * width, 2 * height)],
    },
    ...[2, 4, 8].map((factor) => {
      const large = make.floats(factor * factor * count);
      return {
        name: `enlarge a plane ${factor} times`,
        pixels: factor * factor * count,
        bytes: 4 * (1 + factor * factor) * count,
        tolerance: RELATIVE,
        kernel: () => [enlargeSquare(square, side, factor, large)],
        twin: () => [plainScale.enlargeSquare(square, side, factor)],
      };
    }),
  ];
}

function imageCases(make: ArrayMaker, width: number, height: number): KernelCase[] {
  const count = width * height;
  const image = { data: noiseBytes(make.bytes(3 * count), 5), width, height };
  const [a, b] = [make.floats(3 * count), make.floats(3 * count)];
  const format = { scale: 1 / 127.5, offset: [-1, -0.5, 0.25], order: 'bgr', outside: 'black' } as const;
  const toImage = [0.8, -0.31, width * 0.22, 0.31, 0.8, -height * 0.07] as const;
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
      name: 'halve an image',
      pixels: count,
      bytes: (15 * count) / 4,
      tolerance: 0,
      kernel: () => [halveImage(image).data],
      twin: () => [plainHalveImage(image).data],
    },
    {
      name: 'warp to float planes',
      pixels: count,
      bytes: 15 * count,
      tolerance: RELATIVE,
      kernel: () => (warpImage(image, toImage, width, height, format, a), [a]),
      twin: () => (plainWarpImage(image, toImage, width, height, format, b), [b]),
    },
    {
      name: 'YUV to RGB',
      pixels: inside,
      bytes: 4.5 * inside,
      tolerance: 0,
      kernel: () => (regionToRgb(frame, TO_RGB, region, rgb), [rgb]),
      twin: () => (plainYuv.regionToRgb(otherFrame, TO_RGB, region, otherRgb), [otherRgb]),
    },
    {
      name: 'RGB difference to YUV',
      pixels: inside,
      bytes: 9 * inside,
      tolerance: 0,
      kernel: () => (addRgbDifference(frame, TO_YUV, region, before, after), frame.planes),
      twin: () => (plainYuv.addRgbDifference(otherFrame, TO_YUV, region, before, after), otherFrame.planes),
    },
  ];
}

/** BT.709, limited range. */
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

function yuvFrame(make: ArrayMaker, width: number, height: number) {
  const halfWidth = (width + 1) >> 1;
  const halfHeight = (height + 1) >> 1;
  // Rows are padded, as a decoder's are.
  const strides = [width + 5, halfWidth + 3, halfWidth + 7];
  const heights = [height, halfHeight, halfHeight];
  const planes = strides.map((stride, k) => noiseBytes(make.bytes(stride * heights[k]!), 21 + k));
  return { planes, strides, width, height };
}

function twoPlanes(make: ArrayMaker, count: number): [Float32Array, Float32Array] {
  return [noise(make.floats(count), 3), noise(make.floats(count), 3)];
}

function weights(make: ArrayMaker, count: number): Float32Array {
  const plane = noise(make.floats(count), 9);
  for (let i = 0; i < count; i++) plane[i] = Math.max(0, plane[i]! / 128 - 1);
  return plane;
}

/** 0..255, always the same. */
function noise(plane: Float32Array, seed: number): Float32Array {
  let state = seed;
  for (let i = 0; i < plane.length; i++) {
    state = (state * 48_271) % 2_147_483_647;
    plane[i] = (255 * state) / 2_147_483_647;
  }
  return plane;
}

function noiseBytes(bytes: Uint8Array, seed: number): Uint8Array {
  let state = seed;
  for (let i = 0; i < bytes.length; i++) {
    state = (state * 48_271) % 2_147_483_647;
    bytes[i] = state >> 8;
  }
  return bytes;
}
