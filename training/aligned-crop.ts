import { type Affine, applyAffine, invertAffine } from '@guise/kernels/affine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { warpPartToPlanes } from '@guise/kernels/scale/warp.ts';
import { FACE_OVAL } from '@guise/engine/mesh/uv/face-regions.ts';

/** Side of a crop, pixels. */
export const CROP_SIDE = 256;
/**
 * Distance from the forehead to the chin, as a share of the side. Hair and hands show around it.
 */
const FACE_SHARE = 0.58;
/** Values stay 0..255. Outside the picture, its border pixels are repeated. */
const FORMAT = { scale: 1, offset: [0, 0, 0], order: 'rgb', outside: 'border' } as const;
const FOREHEAD_VERTEX = 10;
const CHIN_VERTEX = 152;

/** An upright crop around a face. The face has the same size in all crops. */
export interface AlignedCrop {
  /** Maps pixels of the crop to pixels of the picture, both edge based. */
  readonly toImage: Affine;
  /** 478 x (x, y, z), pixels of the crop. */
  readonly landmarks: Float32Array;
}

/**
 * Aligns a face: the middle of its oval is the middle of the crop, and its forehead is above its
 * chin.
 * @param landmarks pixels
 */
export function alignFace(landmarks: Float32Array): AlignedCrop {
  const at = (vertex: number): [number, number] => [landmarks[3 * vertex]!, landmarks[3 * vertex + 1]!];
  const [foreheadX, foreheadY] = at(FOREHEAD_VERTEX);
  const [chinX, chinY] = at(CHIN_VERTEX);
  const [middleX, middleY] = [0, 1].map(
    (axis) => FACE_OVAL.reduce((sum, vertex) => sum + at(vertex)[axis]!, 0) / FACE_OVAL.length,
  ) as [number, number];
  // The crop's y axis runs from the forehead to the chin.
  const scale = 1 / (FACE_SHARE * CROP_SIDE);
  const [downX, downY] = [(chinX - foreheadX) * scale, (chinY - foreheadY) * scale];
  const half = CROP_SIDE / 2;
  const toImage: Affine = [
    downY,
    downX,
    middleX - downY * half - downX * half,
    -downX,
    downY,
    middleY + downX * half - downY * half,
  ];
  const toCrop = invertAffine(toImage);
  const depthScale = 1 / Math.hypot(downX, downY);
  const aligned = new Float32Array(landmarks.length);
  for (let i = 0; i < landmarks.length; i += 3) {
    aligned.set(applyAffine(toCrop, landmarks[i]!, landmarks[i + 1]!), i);
    aligned[i + 2] = landmarks[i + 2]! * depthScale;
  }
  return { toImage, landmarks: aligned };
}

/** Cuts the crop out of its picture. */
export function cutCrop(image: RgbImage, { toImage }: AlignedCrop): RgbImage {
  const count = CROP_SIDE * CROP_SIDE;
  const planes = new Float32Array(3 * count);
  warpPartToPlanes(image, toImage, CROP_SIDE, CROP_SIDE, FORMAT, planes);
  const data = new Uint8Array(3 * count);
  for (let pixel = 0; pixel < count; pixel++)
    for (let k = 0; k < 3; k++) data[3 * pixel + k] = Math.round(planes[k * count + pixel]!);
  return { data, width: CROP_SIDE, height: CROP_SIDE };
}
