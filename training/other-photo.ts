import { type Face, longerSide } from '@guise/engine/face/geometry/face.ts';
import { clamp } from '@guise/kernels/clamp.ts';
import { cropImage } from '@guise/kernels/crop-image.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { readRgb, toSharp } from '../scripts/read-rgb.ts';
import { drawGlasses } from './draw/draw-glasses.ts';
import { drawHair } from './draw/draw-hair.ts';
import { choiceBy, type Choice } from './draw/random-choice.ts';
import { isBare, type PersonPicture } from './people.ts';

/** A picture and its face. */
export interface Portrait {
  readonly picture: PersonPicture;
  readonly image: RgbImage;
  readonly face: Face;
}

/**
 * How much photos of each side of a swap differ from the portrait: the shares with glasses, with
 * hair over the face, and mirrored; the largest unevenness of the light (as a logarithm); the
 * largest shift of a part, in sides of the face; and the range of the face's side, pixels. The
 * target's picture is the correct result, so it differs less.
 */
const SIDES = {
  source: { glasses: 0.35, hair: 0.3, mirrored: 0.35, light: 0.6, stretch: 0.025, facePx: [50, 420] },
  target: { glasses: 0.15, hair: 0.1, mirrored: 0, light: 0.3, stretch: 0.012, facePx: [90, 460] },
} as const;

/** Side of the crop around a face, as a multiple of the longer side of its box. */
const AROUND = 2.2;
/** Largest side of the crop, in which glasses and hair are drawn, pixels. */
const MOST_DRAWN_PX = 800;
/** Share of the photos that are a little out of focus. */
const BLURRED = 0.25;
const JPEG_QUALITIES = [45, 60, 75, 85, 92, 95] as const;
/** Cells per side of the random fields of light and of stretching. */
const CELLS = 4;

/**
 * Makes another photo of the person in a portrait: with other light, another camera and size, and
 * sometimes with glasses and hair over the face.
 */
export async function otherPhoto(
  portrait: Portrait,
  side: keyof typeof SIDES,
  random: () => number,
): Promise<RgbImage> {
  const choice = choiceBy(random);
  const { between, maybe, oneOf } = choice;
  const looks = SIDES[side];
  const { crop, landmarks, facePx } = await cropFace(portrait);
  if (isBare(portrait.picture)) {
    if (maybe(looks.glasses)) drawGlasses(crop, landmarks, random);
    if (maybe(looks.hair)) drawHair(crop, landmarks, random);
  }
  const lit = relit(crop, looks.light * random(), choice);
  const stretched = stretchedImage(lit, looks.stretch * facePx * random(), choice);
  const [least, most] = looks.facePx;
  const shown = Math.min(facePx, Math.exp(between(Math.log(least), Math.log(most))));
  let photo = toSharp(stretched);
  if (maybe(looks.mirrored)) photo = photo.flop();
  photo = photo.resize(Math.round((crop.width * shown) / facePx));
  if (maybe(BLURRED)) photo = photo.blur(between(0.4, 1.6));
  return await readRgb(await photo.jpeg({ quality: oneOf(JPEG_QUALITIES) }).toBuffer());
}

/** Crops a portrait to the face and its surroundings. Landmarks are in pixels of the crop. */
async function cropFace({ image, face }: Portrait): Promise<{
  readonly crop: RgbImage;
  readonly landmarks: Float32Array;
  readonly facePx: number;
}> {
  const side = longerSide(face.box);
  const x = Math.max(0, Math.round(face.box.x + (face.box.width - AROUND * side) / 2));
  const y = Math.max(0, Math.round(face.box.y + (face.box.height - AROUND * side) / 2));
  const width = Math.min(image.width - x, Math.round(AROUND * side));
  const height = Math.min(image.height - y, Math.round(AROUND * side));
  const scale = Math.min(1, MOST_DRAWN_PX / Math.max(width, height));
  const { data, info } = await toSharp(cropImage(image, { x, y, width, height }))
    .resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const begin = [x, y, 0] as const;
  return {
    crop: { data: new Uint8Array(data), width: info.width, height: info.height },
    landmarks: face.landmarks.map((value, i) => (value - begin[i % 3]!) * scale),
    facePx: side * scale,
  };
}

/** Makes a smooth random function of two coordinates (0..1) with values of -1..1. */
function field({ between }: Choice): (x: number, y: number) => number {
  const values = Array.from({ length: CELLS * CELLS }, () => between(-1, 1));
  return (x, y) => {
    const [u, v] = [clamp(x, 0, 1) * (CELLS - 1), clamp(y, 0, 1) * (CELLS - 1)];
    const [i, j] = [Math.min(CELLS - 2, Math.floor(u)), Math.min(CELLS - 2, Math.floor(v))];
    const [s, t] = [smoothstep(0, 1, u - i), smoothstep(0, 1, v - j)];
    const row = (k: number): number => values[k * CELLS + i]! * (1 - s) + values[k * CELLS + i + 1]! * s;
    return row(j) * (1 - t) + row(j + 1) * t;
  };
}

/** Changes the light: brighter on one side and in patches, with another colour and contrast. */
function relit(image: RgbImage, strength: number, choice: Choice): RgbImage {
  const { between, maybe } = choice;
  const { width, height } = image;
  const patches = field(choice);
  const angle = between(0, 2 * Math.PI);
  const [towardsX, towardsY] = [Math.cos(angle), Math.sin(angle)];
  const edge = maybe(0.3) ? between(3, 20) : 2;
  const gains = [0, 1, 2].map(() => Math.exp(between(-0.12, 0.12)));
  const gain = Math.exp(between(-0.4, 0.08));
  const gamma = Math.exp(between(-0.3, 0.3));
  const curve = Float32Array.from({ length: 256 }, (_, level) => 255 * (level / 255) ** gamma);
  const saturation = between(0.6, 1.15);
  const data = new Uint8ClampedArray(image.data.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const along = ((x / width - 0.5) * towardsX + (y / height - 0.5) * towardsY) * edge * 3;
      const factor = gain * Math.exp(strength * (Math.tanh(along) + 0.6 * patches(x / width, y / height)));
      const [r, g, b] = [0, 1, 2].map((k) => curve[image.data[at + k]!]! * gains[k]! * factor) as [
        number,
        number,
        number,
      ];
      const grey = 0.299 * r + 0.587 * g + 0.114 * b;
      data[at] = grey + saturation * (r - grey);
      data[at + 1] = grey + saturation * (g - grey);
      data[at + 2] = grey + saturation * (b - grey);
    }
  }
  return { data: new Uint8Array(data.buffer), width, height };
}

/** Shifts parts of the picture by up to `most` pixels. */
function stretchedImage(image: RgbImage, most: number, choice: Choice): RgbImage {
  const [aside, down] = [field(choice), field(choice)];
  const { width, height } = image;
  const data = new Uint8ClampedArray(image.data.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const u = clamp(x + most * aside(x / width, y / height), 0, width - 1.001);
      const v = clamp(y + most * down(x / width, y / height), 0, height - 1.001);
      const [i, j] = [Math.floor(u), Math.floor(v)];
      const [s, t] = [u - i, v - j];
      const from = 3 * (j * width + i);
      for (let k = 0; k < 3; k++) {
        const [a, b, c, d] = [0, 3, 3 * width, 3 * width + 3].map((step) => image.data[from + step + k]!) as [
          number,
          number,
          number,
          number,
        ];
        data[at + k] = (a * (1 - s) + b * s) * (1 - t) + (c * (1 - s) + d * s) * t;
      }
    }
  }
  return { data: new Uint8Array(data.buffer), width, height };
}
