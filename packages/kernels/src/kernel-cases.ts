import { keepInRange, mixBands, sharpen, splitBands } from './bands.ts';
import { boxBlur } from './box-blur.ts';
import { drawTriangles, packTexture } from './draw-triangles.ts';
import { noise, noiseBytes } from './case-noise.ts';
import { faceCases } from './face-cases.ts';
import { faceOpacity } from './face-opacity.ts';
import { halveImage } from './halve-image.ts';
import { matte } from './matte.ts';
import { dullGlints, holdBelow, mixMirrored } from './mend.ts';
import { normalisedBlur } from './normalised-blur.ts';
import * as plainBands from './plain/bands.ts';
import { boxBlur as plainBoxBlur } from './plain/box-blur.ts';
import { matte as plainMatte } from './plain/matte.ts';
import * as plainMend from './plain/mend.ts';
import * as plainDraw from './plain/draw-triangles.ts';
import { faceOpacity as plainFaceOpacity } from './plain/face-opacity.ts';
import { halveImage as plainHalveImage } from './plain/halve-image.ts';
import { normalisedBlur as plainNormalisedBlur } from './plain/normalised-blur.ts';
import * as plainScale from './plain/plane-scale.ts';
import { pushPull as plainPushPull } from './plain/push-pull.ts';
import { relightTexture as plainRelightTexture } from './plain/relight-texture.ts';
import * as plainRelight from './plain/relight.ts';
import { spreadTexels as plainSpreadTexels } from './plain/spread-texels.ts';
import { spreadTriangles as plainSpreadTriangles } from './plain/spread-triangles.ts';
import { warpImage as plainWarpImage } from './plain/warp-to-planes.ts';
import { enlargeSquare, halvePlane } from './plane-scale.ts';
import { pointCases } from './point-cases.ts';
import { pushPull } from './push-pull.ts';
import { relightTexture } from './relight-texture.ts';
import { addEnlarged, mixEnlarged, relight } from './relight.ts';
import { spreadTexels, texelCorners } from './spread-texels.ts';
import { spreadTriangles } from './spread-triangles.ts';
import { triangleSpans } from './triangle-spans.ts';
import { warpImage } from './warp.ts';
import { ordinaryPlanes } from './workspace.ts';
import { yuvCases } from './yuv-cases.ts';
import type { SpreadPlanes } from './plain/spread-triangles.ts';

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
    ...yuvCases(make, width, height),
    ...triangleCases(make, width, height, side),
    ...(side % 4 === 0 ? pictureCases(make, side) : []),
    ...faceCases(make, width, height, side),
    ...pointCases(make, side),
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
      kernel: () => (boxBlur(a, width, height, radius, 1), [a]),
      twin: () => (plainBoxBlur(b, width, height, radius, 1, scratch), [b]),
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
  ];
}

/** A fan of triangles around the middle, in a plane of `side` squared and in an image. */
function triangleCases(make: ArrayMaker, width: number, height: number, side: number): KernelCase[] {
  const corners = 24;
  const points = [side * 0.47, side * 0.53];
  const triangles: number[] = [];
  for (let k = 0; k < corners; k++) {
    const angle = (2 * Math.PI * k) / corners;
    points.push(side * (0.5 + 0.45 * Math.cos(angle)), side * (0.5 + 0.48 * Math.sin(angle)));
    triangles.push(0, k + 1, 1 + ((k + 1) % corners));
  }
  const image = { data: noiseBytes(make.bytes(3 * width * height), 5), width, height };
  const whole = { x: 0, y: 0, width, height };
  const spans = triangleSpans(points, triangles, side, side);
  const scale = width / side;
  const maps = (k: number): number[] => [scale, 0.1, 0.03 * k, -0.1, height / side, 1 - 0.02 * k];
  const spreadMaps = Float64Array.from({ length: 9 * corners }, (_, i) =>
    i % 9 < 6 ? maps(Math.floor(i / 9))[i % 9]! : [0.3 / side, -0.9 / side, 0.5][(i % 9) - 6]!,
  );
  const triangleMaps = {
    parts: [{ image, ...whole }],
    partOf: new Uint8Array(corners),
    maps: spreadMaps,
  };
  const planes = (): SpreadPlanes => ({
    side,
    luma: make.floats(side * side),
    blue: make.floats(side * side),
    red: make.floats(side * side),
    value: make.floats(side * side),
  });
  const [spread, otherSpread] = [planes(), planes()];
  const texels = texelCorners(
    side,
    spans,
    Float32Array.from(points),
    Uint16Array.from(triangles),
    ordinaryPlanes,
  );
  const vertices = Float32Array.from({ length: 2 * points.length }, (_, i) => {
    const at = 2 * (i >> 2);
    return [
      points[at]! * scale + Math.sin(i),
      (points[at + 1]! * height) / side - 1,
      0.9 - points[at]! / side,
      1,
    ][i & 3]!;
  });
  const [small, otherSmall] = [planes(), planes()];
  const drawnSpans = triangleSpans(
    points.map((value, i) => (value * (i % 2 === 0 ? width : height)) / side),
    triangles,
    width,
    height,
  );
  const rgba = packedNoise(side);
  const drawing = {
    texture: { side, rgba },
    target: image,
    area: whole,
    spans: drawnSpans,
    maps: Float64Array.from(
      { length: 12 * corners },
      (_, i) => [side / width, 0.2, 0.4, -0.1, side / height, 0.3, 1, 0, 0.6, 0.03, 0.97, 0.2][i % 12]!,
    ),
    // Painted, still, both, none.
    flags: Uint8Array.from({ length: corners }, (_, k) => [1, 1, 1, 3, 2, 0][k % 6]!),
    allowance: mound(make.floats(width * height), width, height, 4),
    grain: 2,
    grainSeed: 3,
  };
  const [out, otherOut] = [make.bytes(3 * width * height), make.bytes(3 * width * height)];
  return [
    {
      name: 'spread triangles',
      pixels: side * side,
      bytes: 19 * side * side,
      tolerance: RELATIVE,
      kernel: () => (spreadTriangles(spans, triangleMaps, spread), planesOf(spread)),
      twin: () => (plainSpreadTriangles(spans, triangleMaps, otherSpread), planesOf(otherSpread)),
    },
    {
      name: 'spread triangles, texel by texel',
      pixels: side * side,
      bytes: 19 * side * side,
      tolerance: RELATIVE,
      kernel: () => (spreadTexels(texels, vertices, image, small), planesOf(small)),
      twin: () => (plainSpreadTexels(texels, vertices, image, otherSmall), planesOf(otherSmall)),
    },
    {
      name: 'composite triangles',
      pixels: width * height,
      bytes: 18 * width * height,
      tolerance: 1,
      kernel: () => (drawTriangles(drawing, out), [out]),
      twin: () => (plainDraw.drawTriangles(drawing, otherOut), [otherOut]),
    },
  ];
}

function planesOf({ luma, blue, red, value }: SpreadPlanes): Float32Array[] {
  return [luma, blue, red, value];
}

/** 0 along the border, rising inwards as steeply as said to 1. */
function mound(plane: Float32Array, width: number, height: number, steepness: number): Float32Array {
  for (let i = 0; i < plane.length; i++) {
    const x = ((i % width) + 0.5) / width;
    const y = (Math.floor(i / width) + 0.5) / height;
    plane[i] = Math.min(1, steepness * Math.min(x, 1 - x, y, 1 - y));
  }
  return plane;
}

function packedNoise(side: number): Int16Array {
  const colours = noise(new Float32Array(3 * side * side), 6);
  const shares = mound(new Float32Array(side * side), side, side, 3);
  return Int16Array.from({ length: 4 * side * side }, (_, i) =>
    i % 4 === 3 ? 32_767 * shares[i >> 2]! : 64 * colours[3 * (i >> 2) + (i % 4)]!,
  );
}

/** Whatever works on square pictures of luma and colour differences. */
function pictureCases(make: ArrayMaker, side: number): KernelCase[] {
  const count = side * side;
  const colours = (seed: number, length: number) => ({
    luma: noise(make.floats(length), seed),
    blue: signed(noise(make.floats(length), seed + 1)),
    red: signed(noise(make.floats(length), seed + 2)),
  });
  const lightSide = side >> 2;
  const picture = colours(3, count);
  const [from, to] = [colours(13, lightSide * lightSide), colours(17, lightSide * lightSide)];
  const mask = weights(make, count);
  const place = { lightSide, side, mask, features: weights(make, count) };
  const empty = () => ({ luma: make.floats(count), blue: make.floats(count), red: make.floats(count) });
  const [lit, otherLit] = [empty(), empty()];
  const [sharp, otherSharp] = twoPlanes(make, count);
  const sharpening = { radius: 2, strength: 0.8, fineGain: 0.7, coarseGain: 0.4, core: 1.5, most: 14 };
  const [held, otherHeld] = twoPlanes(make, count);
  const limit = { reach: 3, overshoot: 1, overshootShare: 0.08, strength: 0.9 };
  const shares = [1, 2, 4].map(() => weights(make, count));
  const bands = [1, 2, 4].map(() => make.floats(count));
  const otherBands = [1, 2, 4].map(() => make.floats(count));
  const [mixed, otherMixed] = twoPlanes(make, count);
  const three = [picture.luma, picture.blue, picture.red] as const;
  const change = { fine: 0.9, medium: 1.01, broad: 0.98, core: 2 };
  const [sum, otherSum] = twoPlanes(make, count);
  const [blend, otherBlend] = twoPlanes(make, count);
  const part = make.floats(from.luma.length);
  for (let i = 0; i < part.length; i++) part[i] = (i % 5) / 4;
  const [lowered, otherLowered] = [colours(25, count), colours(25, count)];
  const turned = noise(make.floats(from.luma.length), 28).map((value) => value / 255);
  const [dulled, otherDulled] = [colours(33, count), colours(33, count)];
  const detail = (seed: number): Float32Array => signed(noise(make.floats(count), seed));
  const bandsOfDetail = [detail(36), detail(37), detail(38)] as const;
  const glints = { bands: bandsOfDetail, skin: mask, usual: 9, lit: 0.7, taken: 0.8 };
  const [inFront, otherInFront] = [make.floats(count), make.floats(count)];
  const facePlanes = () => ({ ...colours(29, count), facing: weights(make, count) });
  const [mirrored, otherMirrored] = [facePlanes(), facePlanes()];
  const opacity = weights(make, count);
  const fading = { shown: opacity, softEyes: mask, eyes: shares[0]!, facing: shares[1]! };
  const [faded, otherFaded] = [make.floats(count), make.floats(count)];
  const [rgba, otherRgba] = [new Int16Array(4 * count), new Int16Array(4 * count)];
  const source = {
    side,
    mask,
    features: place.features,
    ownBlue: picture.blue,
    ownRed: picture.red,
    from: new Uint16Array(side).map((_, y) => 4 * (y % 2)),
    // The second row is left out.
    to: new Uint16Array(side).map((_, y) => (y === 1 ? 0 : side)),
    steps: signed(noise(make.floats(count), 23)),
    perLight: noise(make.floats(count), 24).map((value) => 1 / (value + 4)),
  };
  const newLight = { side: lightSide, light: to, facing: weights(make, lightSide * lightSide) };
  const [hidden, otherHidden] = twoPlanes(make, count);
  const [texels, otherTexels] = [make.floats(4 * count), make.floats(4 * count)];
  return [
    {
      name: 'light ratio',
      pixels: count,
      bytes: 32 * count,
      tolerance: RELATIVE,
      kernel: () => (relight(picture, from, to, place, 0.8, SHARES, lit), Object.values(lit)),
      twin: () => (
        plainRelight.relight(picture, from, to, place, 0.8, SHARES, otherLit),
        Object.values(otherLit)
      ),
    },
    {
      name: 'add an enlarged plane',
      pixels: count,
      bytes: 12 * count,
      tolerance: RELATIVE,
      kernel: () => (addEnlarged(sum, from.blue, mask, lightSide, side), [sum]),
      twin: () => (plainRelight.addEnlarged(otherSum, from.blue, mask, lightSide, side), [otherSum]),
    },
    {
      name: 'mix with an enlarged plane',
      pixels: count,
      bytes: 8 * count,
      tolerance: RELATIVE,
      kernel: () => (mixEnlarged(blend, from.luma, part, lightSide, side), [blend]),
      twin: () => (plainRelight.mixEnlarged(otherBlend, from.luma, part, lightSide, side), [otherBlend]),
    },
    {
      name: 'hold below an enlarged picture',
      pixels: count,
      bytes: 28 * count,
      tolerance: RELATIVE,
      kernel: () => (
        holdBelow(lowered, to, part, place.features, lightSide, side, 0.8),
        Object.values(lowered)
      ),
      twin: () => (
        plainMend.holdBelow(otherLowered, to, part, place.features, lightSide, side, 0.8),
        Object.values(otherLowered)
      ),
    },
    {
      name: 'mix with the mirror image',
      pixels: count,
      bytes: 32 * count,
      tolerance: RELATIVE,
      kernel: () => (mixMirrored(mirrored, turned, from, lightSide, side), Object.values(mirrored)),
      twin: () => (
        plainMend.mixMirrored(otherMirrored, turned, from, lightSide, side),
        Object.values(otherMirrored)
      ),
    },
    {
      name: 'dull glints',
      pixels: count,
      bytes: 40 * count,
      tolerance: RELATIVE,
      kernel: () => (dullGlints(dulled, to, glints, lightSide, side), Object.values(dulled)),
      twin: () => (
        plainMend.dullGlints(otherDulled, to, glints, lightSide, side),
        Object.values(otherDulled)
      ),
    },
    {
      name: 'matte of what is in front',
      pixels: count,
      bytes: 20 * count,
      tolerance: 10 * RELATIVE,
      kernel: () => (
        matte(picture, turned, from, to, { smallSide: lightSide, side, mask }, MATTE, inFront),
        [inFront]
      ),
      twin: () => (
        plainMatte(picture, turned, from, to, { smallSide: lightSide, side, mask }, MATTE, otherInFront),
        [otherInFront]
      ),
    },
    {
      name: 'sharpen',
      pixels: count,
      bytes: 8 * count,
      tolerance: RELATIVE,
      kernel: () => (sharpen(sharp, side, side, sharpening), [sharp]),
      twin: () => (plainBands.sharpen(otherSharp, side, side, sharpening), [otherSharp]),
    },
    {
      name: 'keep in range, reach 3',
      pixels: count,
      bytes: 12 * count,
      tolerance: RELATIVE,
      kernel: () => (keepInRange(held, picture.red, side, side, limit), [held]),
      twin: () => (plainBands.keepInRange(otherHeld, picture.red, side, side, limit), [otherHeld]),
    },
    {
      name: 'split into 3 bands',
      pixels: count,
      bytes: 32 * count,
      tolerance: RELATIVE,
      kernel: () => (splitBands(picture.luma, mask, shares, [1, 2, 4], side, side, bands), bands),
      twin: () => (
        plainBands.splitBands(picture.luma, mask, shares, [1, 2, 4], side, side, otherBands),
        otherBands
      ),
    },
    {
      name: 'mix 3 bands',
      pixels: count,
      bytes: 20 * count,
      tolerance: RELATIVE,
      kernel: () => (mixBands(mixed, three, change), [mixed]),
      twin: () => (plainBands.mixBands(otherMixed, three, change), [otherMixed]),
    },
    {
      name: 'opacity of a face',
      pixels: count,
      bytes: 20 * count,
      tolerance: RELATIVE,
      kernel: () => (faceOpacity(fading, FADING, faded), [faded]),
      twin: () => (plainFaceOpacity(fading, FADING, otherFaded), [otherFaded]),
    },
    {
      name: 'pack a texture',
      pixels: count,
      bytes: 24 * count,
      tolerance: 4e-5,
      kernel: () => (packTexture(picture, opacity, rgba), [Float32Array.from(rgba)]),
      twin: () => (plainDraw.packTexture(picture, opacity, otherRgba), [Float32Array.from(otherRgba)]),
    },
    {
      name: 'relight a texture',
      pixels: count,
      bytes: 52 * count,
      tolerance: 2 * RELATIVE,
      kernel: () => {
        relightTexture(source, newLight, NUMBERS, SHARES, hidden, opacity, texels);
        return [hidden, texels];
      },
      twin: () => {
        plainRelightTexture(source, newLight, NUMBERS, SHARES, otherHidden, opacity, otherTexels);
        return [otherHidden, otherTexels];
      },
    },
  ];
}

function signed(plane: Float32Array): Float32Array {
  for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! / 4 - 32;
  return plane;
}

const FADING = { from: 0.03, to: 0.14, eyeGain: 1.15 };
const SHARES = {
  darkFloor: 4,
  skinKnee: 1,
  featureKnee: 1.3,
  darkening: 0.4,
  brightening: 0.35,
  leastChroma: 0.2,
  mostChroma: 1.1,
  mostOwnColour: 30,
  shoulder: 225,
  leastOffset: 0.6,
  mostOffset: 1.2,
};

const MATTE = {
  nearOnset: 0.02,
  nearFull: 0.3,
  deepOnset: 0.75,
  mixed: 0.25,
  pure: 0.7,
  colourWeight: 1.5,
  leastContrast: 12,
};

const NUMBERS = {
  opacity: 0.9,
  colour: 0.8,
  ease: 0.6,
  silhouette: 0.03,
  inner: 0.14,
  lumaGain: 0.86,
  offset: [16, 128, 128] as const,
  mixed: [0.1, -0.05, 0.9, 0.02, -0.03, 0.88],
  skippedBands: null,
};

function twoPlanes(make: ArrayMaker, count: number): [Float32Array, Float32Array] {
  return [noise(make.floats(count), 3), noise(make.floats(count), 3)];
}

function weights(make: ArrayMaker, count: number): Float32Array {
  const plane = noise(make.floats(count), 9);
  for (let i = 0; i < count; i++) plane[i] = Math.max(0, plane[i]! / 128 - 1);
  return plane;
}
