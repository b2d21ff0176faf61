import { type Affine, fitSimilarity, invertAffine } from '@guise/kernels/affine.ts';

/**
 * Places of the five points of a face (image-left eye, image-right eye, tip of the nose, left and
 * right corner of the mouth) in the crop that a network was trained on.
 */
export interface Template {
  /** Side of the square crop to which the points belong, pixels. */
  readonly side: number;
  /** x0, y0, x1, y1, ...: the centre of the first pixel is 0, as in OpenCV. */
  readonly points: readonly number[];
}

/** The crops that networks for faces use. */
export const TEMPLATES = {
  'arcface-112-v1': {
    side: 112,
    points: [39.73, 51.138, 72.27, 51.138, 56, 68.493, 42.463, 87.01, 69.537, 87.01],
  },
  'arcface-112-v2': {
    side: 112,
    points: [38.2946, 51.6963, 73.5318, 51.5014, 56.0252, 71.7366, 41.5493, 92.3655, 70.7299, 92.2041],
  },
  'arcface-128': {
    side: 128,
    points: [46.2946, 51.6963, 81.5318, 51.5014, 64.0252, 71.7366, 49.5493, 92.3655, 78.7299, 92.2041],
  },
  'ffhq-512': {
    side: 512,
    points: [192.981, 239.947, 318.903, 240.194, 256.634, 314.019, 201.261, 371.41, 313.089, 371.151],
  },
  'mtcnn-512': {
    side: 512,
    points: [187.202, 239.277, 324.124, 238.52, 256.098, 317.148, 199.849, 397.306, 313.236, 396.679],
  },
  // The crop of 256 pixels that XSeg was trained on.
  'whole-face-256': {
    side: 256,
    points: [90.476, 100.571, 160.762, 100.571, 124.571, 138.286, 99.429, 176, 153.143, 176],
  },
} as const satisfies Record<string, Template>;
export type TemplateName = keyof typeof TEMPLATES;

/**
 * Vertices of the mesh whose mean is each of the five points. The eyes are those of the 68 points
 * that networks for faces were trained with.
 */
export const POINT_VERTICES: readonly (readonly number[])[] = [
  [33, 160, 158, 133, 153, 144],
  [362, 385, 387, 263, 373, 380],
  [1, 4],
  [61],
  [291],
];

/** Returns the five points of a face. @param landmarks at least 468 x (x, y, z) */
export function fivePoints(landmarks: Float32Array): number[] {
  return POINT_VERTICES.flatMap((vertices) =>
    [0, 1].map((axis) => vertices.reduce((sum, v) => sum + landmarks[3 * v + axis]!, 0) / vertices.length),
  );
}

/**
 * Returns the map from a crop of `side` pixels to the image, both edge based: the similarity that
 * fits all five points best.
 */
export function cropToImage(name: TemplateName, side: number, landmarks: Float32Array): Affine {
  const { side: ownSide, points } = TEMPLATES[name];
  const inCrop = points.map((value) => (value * side) / ownSide + 0.5);
  return invertAffine(fitSimilarity(fivePoints(landmarks), inCrop));
}
