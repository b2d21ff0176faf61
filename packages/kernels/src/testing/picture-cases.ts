import { packTexture } from '../face/draw-triangles.ts';
import { faceOpacity } from '../face/face-opacity.ts';
import { matte } from '../face/matte.ts';
import { mixMirrored } from '../face/mix-mirrored.ts';
import { relightTexture } from '../face/relight-texture.ts';
import { addEnlarged, mixEnlarged, relight } from '../face/relight.ts';
import { keepInRange, mixBands, sharpen, splitBands } from '../filter/bands.ts';
import * as plainBands from '../plain/bands.ts';
import * as plainDraw from '../plain/draw-triangles.ts';
import { faceOpacity as plainFaceOpacity } from '../plain/face-opacity.ts';
import { matte as plainMatte } from '../plain/matte.ts';
import { mixMirrored as plainMixMirrored } from '../plain/mix-mirrored.ts';
import { relightTexture as plainRelightTexture } from '../plain/relight-texture.ts';
import * as plainRelight from '../plain/relight.ts';
import { noise } from './case-noise.ts';
import { type ArrayMaker, type KernelCase, RELATIVE, twoPlanes, weights } from './kernel-case.ts';

/** Lists cases of the kernels that work on square pictures of luma and colour differences. */
export function pictureCases(make: ArrayMaker, side: number): KernelCase[] {
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
  const turned = noise(make.floats(from.luma.length), 28).map((value) => value / 255);
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
      reference: () => (
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
      reference: () => (plainRelight.addEnlarged(otherSum, from.blue, mask, lightSide, side), [otherSum]),
    },
    {
      name: 'mix with an enlarged plane',
      pixels: count,
      bytes: 8 * count,
      tolerance: RELATIVE,
      kernel: () => (mixEnlarged(blend, from.luma, part, lightSide, side), [blend]),
      reference: () => (plainRelight.mixEnlarged(otherBlend, from.luma, part, lightSide, side), [otherBlend]),
    },
    {
      name: 'mix with the mirror image',
      pixels: count,
      bytes: 32 * count,
      tolerance: RELATIVE,
      kernel: () => (mixMirrored(mirrored, turned, from, lightSide, side), Object.values(mirrored)),
      reference: () => (
        plainMixMirrored(otherMirrored, turned, from, lightSide, side),
        Object.values(otherMirrored)
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
      reference: () => (
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
      reference: () => (plainBands.sharpen(otherSharp, side, side, sharpening), [otherSharp]),
    },
    {
      name: 'keep in range, reach 3',
      pixels: count,
      bytes: 12 * count,
      tolerance: RELATIVE,
      kernel: () => (keepInRange(held, picture.red, side, side, limit), [held]),
      reference: () => (plainBands.keepInRange(otherHeld, picture.red, side, side, limit), [otherHeld]),
    },
    {
      name: 'split into 3 bands',
      pixels: count,
      bytes: 32 * count,
      tolerance: RELATIVE,
      kernel: () => (splitBands(picture.luma, mask, shares, [1, 2, 4], side, side, bands), bands),
      reference: () => (
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
      reference: () => (plainBands.mixBands(otherMixed, three, change), [otherMixed]),
    },
    {
      name: 'opacity of a face',
      pixels: count,
      bytes: 20 * count,
      tolerance: RELATIVE,
      kernel: () => (faceOpacity(fading, FADING, faded), [faded]),
      reference: () => (plainFaceOpacity(fading, FADING, otherFaded), [otherFaded]),
    },
    {
      name: 'pack a texture',
      pixels: count,
      bytes: 24 * count,
      tolerance: 4e-5,
      kernel: () => (packTexture(picture, opacity, rgba), [Float32Array.from(rgba)]),
      reference: () => (plainDraw.packTexture(picture, opacity, otherRgba), [Float32Array.from(otherRgba)]),
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
      reference: () => {
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
  mostSkinColour: 30,
  mostFeatureColour: 120,
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
