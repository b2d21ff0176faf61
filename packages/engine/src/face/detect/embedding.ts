import { fitSimilarity } from '@guise/kernels/affine.ts';
import type { Affine } from '@guise/kernels/affine.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { warpPartToPlanes, warpToPlanes } from '@guise/kernels/scale/warp.ts';
import type { PlaneFormat } from '@guise/kernels/scale/warp.ts';
import type { Model } from '../../models/model.ts';
import type { Face } from '../geometry/face.ts';
import { regionOfMesh, regionToImage } from '../geometry/region.ts';

/** Length of an embedding by dlib's network. */
export const EMBEDDING_LENGTH = 128;

/** Side of the aligned crop (chip) that dlib's network reads, pixels. */
const CHIP_SIDE = 150;
/** Margin of the chip around the template's square on every side, as a share of the square. */
const CHIP_PADDING = 0.25;
/**
 * dlib's five points in its unit square (get_face_chip_details) and our landmarks for them: corners
 * of the image-right eye (outer, inner), of the image-left eye (outer, inner), base of the nose.
 */
const CHIP_TEMPLATE = [
  { landmark: 263, x: 0.8595674595992, y: 0.2134981538014 },
  { landmark: 362, x: 0.6460604764104, y: 0.2289674387677 },
  { landmark: 33, x: 0.1205750620789, y: 0.2137274526848 },
  { landmark: 133, x: 0.3340850613712, y: 0.2290642403242 },
  { landmark: 2, x: 0.4901123135679, y: 0.6277975316475 },
];
/** Values that dlib's network expects: 0 to 255. */
const CHIP_FORMAT: PlaneFormat = { scale: 1, offset: [0, 0, 0], order: 'rgb', outside: 'black' };

/** Side of the square that the faceres network reads, pixels. */
const FACERES_SIDE = 224;
/** Side of that square, divided by the longer side of the mesh. */
const FACERES_REGION_SCALE = 1.3;
/** Values that the faceres network expects. */
const FACERES_FORMAT: PlaneFormat = {
  scale: 1,
  offset: [-103.939, -116.779, -123.68],
  order: 'bgr',
  outside: 'border',
};

/**
 * Returns the 128 numbers of dlib's recognition network. Two photos of one person have a Euclidean
 * distance below about 0.6.
 */
export function embedFace(
  model: Model,
  image: RgbImage,
  face: Pick<Face, 'landmarks'>,
): Promise<Float32Array> {
  const toImage = chipToImage(face.landmarks);
  return model.run(
    CHIP_SIDE,
    CHIP_SIDE,
    (input) => warpPartToPlanes(image, toImage, CHIP_SIDE, CHIP_SIDE, CHIP_FORMAT, input),
    ({ embedding }) => Float32Array.from(embedding!),
  );
}

/**
 * Returns the 1024 numbers of FaceRes, a second measure of identity for measurements, which are
 * compared by cosine.
 */
export function embedFaceres(model: Model, image: RgbImage, face: Face): Promise<Float32Array> {
  const pyramid = pyramidOf(image);
  const toImage = regionToImage(regionOfMesh(face.landmarks, FACERES_REGION_SCALE), FACERES_SIDE);
  return model.run(
    FACERES_SIDE,
    FACERES_SIDE,
    (input) => warpToPlanes(pyramid, toImage, FACERES_SIDE, FACERES_SIDE, FACERES_FORMAT, input),
    ({ embedding }) => Float32Array.from(embedding!),
  );
}

/** Returns the map from coordinates of dlib's aligned chip to the image. */
function chipToImage(landmarks: ArrayLike<number>): Affine {
  const chip = CHIP_TEMPLATE.flatMap(({ x, y }) => [onChip(x), onChip(y)]);
  const points = CHIP_TEMPLATE.flatMap(({ landmark: i }) => [landmarks[3 * i]!, landmarks[3 * i + 1]!]);
  return fitSimilarity(chip, points);
}

/** Converts a coordinate of the template's unit square to chip pixels. */
function onChip(unit: number): number {
  return ((CHIP_PADDING + unit) / (2 * CHIP_PADDING + 1)) * CHIP_SIDE;
}
