import sharp from 'sharp';
import { clamp } from '@guise/kernels/clamp.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { toSharp } from '../../scripts/read-rgb.ts';
import { choiceBy } from './random-choice.ts';

/** A face of a photo as the training sees it. */
export interface FacePhoto {
  readonly image: RgbImage;
  /** 478 x (x, y, z), pixels. */
  readonly landmarks: Float32Array;
}

/** Smallest face that is trained on, longer side in pixels. */
const SMALLEST_FACE_PX = 44;
/** How far landmarks are off at most, in shares of the face. */
const LANDMARK_ERROR_SHARE = 0.012;
/** Share of each colour in the luma of a grey picture. */
const LUMA_SHARES = [0.299, 0.587, 0.114] as const;

export function copyPhoto({ image, landmarks }: FacePhoto): FacePhoto {
  return { image: { ...image, data: image.data.slice() }, landmarks: landmarks.slice() };
}

/**
 * Takes a face with another camera: size, blur, light, colour, noise and JPEG differ, and its
 * landmarks are a little off.
 * @param size longer side of the face, pixels @returns also the new size
 */
export async function varyPhoto(
  { image, landmarks }: FacePhoto,
  size: number,
  random: () => number,
): Promise<FacePhoto & { readonly size: number }> {
  const { between, maybe } = choiceBy(random);
  const smallest = Math.min(size, SMALLEST_FACE_PX);
  const wanted = maybe(0.35) ? size : smallest * (size / smallest) ** random();
  const width = Math.max(8, Math.round((image.width * wanted) / size));
  const height = Math.max(8, Math.round((image.height * wanted) / size));
  let picture = toSharp(image).resize(width, height, { fit: 'fill' });
  if (maybe(0.25)) picture = picture.blur(between(0.4, 0.4 + wanted / 150));
  picture = picture.linear(between(0.6, 1.4), between(-20, 25)).gamma(between(1, 1.6));
  if (maybe(0.5)) {
    const quality = Math.round(between(35, 92));
    picture = sharp(await picture.jpeg({ quality }).toBuffer()).toColourspace('srgb');
  }
  const { data } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const varied = { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height };
  if (maybe(0.15)) makeGrey(varied);
  if (maybe(0.4)) addNoise(varied, between(1, 9), random);
  const error = LANDMARK_ERROR_SHARE * wanted;
  const [offX, offY] = [between(-error, error), between(-error, error)];
  const [scaleX, scaleY] = [width / image.width, height / image.height];
  const moved = landmarks.map((value, i) => {
    if (i % 3 === 0) return value * scaleX + offX;
    return i % 3 === 1 ? value * scaleY + offY : value * scaleX;
  });
  return { image: varied, landmarks: moved, size: wanted };
}

function makeGrey({ data }: RgbImage): void {
  for (let i = 0; i < data.length; i += 3) {
    const luma = LUMA_SHARES.reduce((sum, share, k) => sum + share * data[i + k]!, 0);
    data.fill(Math.round(luma), i, i + 3);
  }
}

/** Adds grey noise, nearly normal, of about this deviation. */
function addNoise({ data }: RgbImage, deviation: number, random: () => number): void {
  for (let i = 0; i < data.length; i += 3) {
    const noise = (random() + random() + random() - 1.5) * 2 * deviation;
    for (let k = 0; k < 3; k++) data[i + k] = clamp(Math.round(data[i + k]! + noise), 0, 255);
  }
}
