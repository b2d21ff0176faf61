import type { RgbImage } from '@guise/kernels/image.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import sharp from 'sharp';
import { toSharp } from '../../scripts/read-rgb.ts';
import { stroke } from './draw-glasses.ts';

type Random = () => number;

/** A face of a photo as the training sees it. */
export interface FacePhoto {
  readonly image: RgbImage;
  /** 478 x (x, y, z), pixels. */
  readonly landmarks: Float32Array;
}

/** Smallest face that is trained on, longer side in pixels. */
const SMALLEST_FACE_PX = 44;

export function copyPhoto({ image, landmarks }: FacePhoto): FacePhoto {
  return { image: { ...image, data: image.data.slice() }, landmarks: landmarks.slice() };
}

/**
 * Paints what is taken for glasses, in place: brows, bags under the eyes, made-up lids, strands over
 * the brows, edges of shadows. Faces with and without glasses get it alike.
 */
export function drawDistractors({ image, landmarks }: FacePhoto, random: Random): void {
  const between = (from: number, to: number): number => from + (to - from) * random();
  const point = (v: number): [number, number, number] => [landmarks[3 * v]!, landmarks[3 * v + 1]!, 0];
  const eye = Math.hypot(...point(33).map((value, k) => value - point(263)[k]!)) / 1.5;
  if (random() < 0.25) shadeHalf(image, point(6), eye, random);
  if (random() < 0.2) {
    // Bags under both eyes.
    const depth = between(0.05, 0.3);
    const lower = between(0.1, 0.3) * eye;
    for (const ring of [
      [33, 110, 24, 23, 22, 26, 133],
      [263, 339, 254, 253, 252, 256, 362],
    ])
      stroke(
        image,
        ring.map((v) => sunk(point(v), lower)),
        between(0.03, 0.12) * eye,
        [40, 20, 15],
        depth,
        0.9,
      );
  }
  if (random() < 0.15) {
    // Low or heavy brows.
    const lower = between(0, 0.2) * eye;
    const depth = between(0.3, 0.9);
    for (const ring of [
      [46, 53, 52, 65, 55],
      [276, 283, 282, 295, 285],
    ])
      stroke(
        image,
        ring.map((v) => sunk(point(v), lower)),
        between(0.08, 0.2) * eye,
        [35, 25, 20],
        depth,
        0.7,
      );
  }
  if (random() < 0.15) {
    // Made-up lids.
    const depth = between(0.2, 0.7);
    for (const ring of [
      [33, 161, 160, 159, 158, 157, 133],
      [263, 388, 387, 386, 385, 384, 362],
    ])
      stroke(
        image,
        ring.map((v) => sunk(point(v), -0.03 * eye)),
        between(0.04, 0.2) * eye,
        [30, 20, 30],
        depth,
        0.8,
      );
  }
  if (random() < 0.2) {
    // Strands over the forehead and the brows.
    const count = 1 + Math.floor(12 * random());
    const tone = between(15, 190);
    for (let k = 0; k < count; k++) {
      const [x, y] = point(10);
      const from = x + between(-1.4, 1.4) * eye;
      const to = from + between(-0.5, 0.5) * eye;
      const end = y + between(0.5, 1.7) * eye;
      stroke(
        image,
        [
          [from, y - 0.4 * eye, 0],
          [(from + to) / 2 + between(-0.1, 0.1) * eye, (y + end) / 2, 0],
          [to, end, 0],
        ],
        between(0.01, 0.1) * eye,
        [tone, 0.85 * tone, 0.7 * tone],
        between(0.3, 1),
        0.6,
      );
    }
  }
  if (random() < 0.12) {
    // Furrows across the root of the nose and between the brows.
    const [x, y] = point(168);
    const across = random() < 0.5;
    const length = between(0.1, 0.3) * eye;
    for (const aside of across ? [0] : [-0.1 * eye, 0.1 * eye])
      stroke(
        image,
        across
          ? [
              [x - length, y, 0],
              [x + length, y, 0],
            ]
          : [
              [x + aside, y - length, 0],
              [x + aside, y + length / 2, 0],
            ],
        between(0.02, 0.06) * eye,
        [50, 25, 20],
        between(0.1, 0.5),
        0.9,
      );
  }
}

function sunk([x, y, z]: readonly [number, number, number], by: number): [number, number, number] {
  return [x, y + by, z];
}

/** Darkens or brightens what lies on one side of a line near the eyes. */
function shadeHalf(
  { data, width, height }: RgbImage,
  [cx, cy]: readonly [number, number, number],
  eye: number,
  random: Random,
): void {
  const angle = 2 * Math.PI * random();
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
  const away = (2 * random() - 1) * 1.2 * eye;
  const soft = eye * (0.03 + 0.4 * random());
  const factor = random() < 0.7 ? 0.35 + 0.5 * random() : 1.15 + 0.5 * random();
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 3) {
      const share = smoothstep(-soft, soft, (x - cx) * nx + (y - cy) * ny - away);
      if (share === 0) continue;
      const by = 1 + share * (factor - 1);
      for (let k = 0; k < 3; k++) data[i + k] = Math.min(255, Math.round(data[i + k]! * by));
    }
}

/**
 * Takes a face through another camera: size, blur, light, contrast, colour, noise and JPEG; its
 * landmarks are a little off.
 */
export async function varyPhoto(
  { image, landmarks }: FacePhoto,
  size: number,
  random: Random,
): Promise<{ photo: FacePhoto; size: number }> {
  const between = (from: number, to: number): number => from + (to - from) * random();
  const smallest = Math.min(size, SMALLEST_FACE_PX);
  const wanted = random() < 0.35 ? size : smallest * (size / smallest) ** random();
  const width = Math.max(8, Math.round((image.width * wanted) / size));
  const height = Math.max(8, Math.round((image.height * wanted) / size));
  let picture = toSharp(image).resize(width, height, { fit: 'fill' });
  if (random() < 0.25) picture = picture.blur(between(0.4, 0.4 + wanted / 150));
  const gain = between(0.6, 1.4);
  picture = picture.linear(gain, between(-20, 25)).gamma(between(1, 1.6));
  if (random() < 0.5) {
    const quality = Math.round(between(35, 92));
    picture = sharp(await picture.jpeg({ quality }).toBuffer()).toColourspace('srgb');
  }
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.length);
  const varied: RgbImage = { data: bytes, width: info.width, height: info.height };
  if (random() < 0.15) toGrey(varied);
  if (random() < 0.4) addNoise(varied, between(1, 9), random);
  const scaleX = width / image.width;
  const scaleY = height / image.height;
  const off = 0.012 * wanted;
  const [ox, oy] = [between(-off, off), between(-off, off)];
  const moved = landmarks.map((value, i) =>
    i % 3 === 0 ? value * scaleX + ox : i % 3 === 1 ? value * scaleY + oy : value * scaleX,
  );
  return { photo: { image: varied, landmarks: moved }, size: wanted };
}

function toGrey({ data }: RgbImage): void {
  for (let i = 0; i < data.length; i += 3)
    data.fill(Math.round(0.299 * data[i]! + 0.587 * data[i + 1]! + 0.114 * data[i + 2]!), i, i + 3);
}

function addNoise({ data }: RgbImage, deviation: number, random: Random): void {
  for (let i = 0; i < data.length; i += 3) {
    const grey = (random() + random() + random() - 1.5) * 2 * deviation;
    for (let k = 0; k < 3; k++) data[i + k] = Math.max(0, Math.min(255, Math.round(data[i + k]! + grey)));
  }
}
