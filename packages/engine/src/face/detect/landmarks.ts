import { applyAffine } from '@guise/kernels/affine.ts';
import type { Affine } from '@guise/kernels/affine.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { warpToPlanes } from '@guise/kernels/scale/warp.ts';
import type { PlaneFormat } from '@guise/kernels/scale/warp.ts';
import type { Model } from '../../models/model.ts';
import { LANDMARK_COUNT } from '../geometry/face.ts';
import { regionToImage } from '../geometry/region.ts';
import type { Region } from '../geometry/region.ts';

/** Result of the landmark model for one region. */
export interface MeshReading {
  readonly landmarks: Float32Array;
  /** Confidence of the model that the region shows a face, 0..1. */
  readonly score: number;
  /** Score before the sigmoid, which also ranks clear faces, whose scores are all 1. */
  readonly logit: number;
}

/** Side of the square that the mesh network reads, pixels. */
const MESH_SIDE = 192;
/** Side of the square that the iris network reads, pixels. */
const IRIS_SIDE = 64;
/** Number of points of an iris. */
const IRIS_POINT_COUNT = 5;
/** Side of the iris network's square, in multiples of the distance between the eye's corners. */
const EYE_REGION_SCALE = 2.3;
/** Width of an eye between its corners below which the mesh's own iris is equally good. */
const MIN_EYE_PX = 8;

/** Values that both networks expect: 0 to 1. */
const INPUT_FORMAT: PlaneFormat = { scale: 1 / 255, offset: [0, 0, 0], order: 'rgb', outside: 'border' };

/**
 * Eye corners, and the first landmark of the iris. The model knows only the image-left eye, so the
 * other eye is mirrored for it.
 */
const EYES = [
  { outer: 33, inner: 133, iris: 468, mirrored: false },
  { outer: 263, inner: 362, iris: 473, mirrored: true },
] as const;

/**
 * Runs the mesh network on one region. Returns landmarks in image pixels, with z in the scale of x.
 */
export function readMesh(model: Model, pyramid: ImagePyramid, region: Region): Promise<MeshReading> {
  const toImage = regionToImage(region, MESH_SIDE);
  const scale = region.size / MESH_SIDE;
  return model.run(
    MESH_SIDE,
    MESH_SIDE,
    (input) => warpToPlanes(pyramid, toImage, MESH_SIDE, MESH_SIDE, INPUT_FORMAT, input),
    ({ mesh, logit }) => ({
      landmarks: toImagePixels(mesh!, toImage, scale),
      score: 1 / (1 + Math.exp(-logit![0]!)),
      logit: logit![0]!,
    }),
  );
}

function toImagePixels(mesh: Float32Array, [a, b, c, d, e, f]: Affine, scale: number): Float32Array {
  const landmarks = new Float32Array(LANDMARK_COUNT * 3);
  for (let i = 0; i < landmarks.length; i += 3) {
    const x = mesh[i]!;
    const y = mesh[i + 1]!;
    landmarks[i] = a * x + b * y + c;
    landmarks[i + 1] = d * x + e * y + f;
    landmarks[i + 2] = mesh[i + 2]! * scale;
  }
  return landmarks;
}

/**
 * Replaces x and y of the irises in `landmarks` by the result of the iris model, which reads the
 * image at full resolution.
 */
export async function refineIrises(
  model: Model,
  pyramid: ImagePyramid,
  landmarks: Float32Array,
): Promise<void> {
  for (const { outer, inner, iris, mirrored } of EYES) {
    const across = landmarks[3 * inner]! - landmarks[3 * outer]!;
    const down = landmarks[3 * inner + 1]! - landmarks[3 * outer + 1]!;
    const eyeWidth = Math.hypot(across, down);
    if (eyeWidth < MIN_EYE_PX) continue;
    const region: Region = {
      x: landmarks[3 * outer]! + across / 2,
      y: landmarks[3 * outer + 1]! + down / 2,
      size: eyeWidth * EYE_REGION_SCALE,
      angle: mirrored ? Math.atan2(-down, -across) : Math.atan2(down, across),
    };
    const upright = regionToImage(region, IRIS_SIDE);
    const toImage = mirrored ? mirrorColumns(upright, IRIS_SIDE) : upright;
    await model.run(
      IRIS_SIDE,
      IRIS_SIDE,
      (input) => warpToPlanes(pyramid, toImage, IRIS_SIDE, IRIS_SIDE, INPUT_FORMAT, input),
      ({ iris: points }) => {
        const found: number[][] = [];
        for (let i = 0; i < IRIS_POINT_COUNT; i++) {
          found.push(applyAffine(toImage, points![3 * i]!, points![3 * i + 1]!));
        }
        putIris(landmarks, iris, found);
      },
    );
  }
}

/**
 * Writes the iris points [x, y] into the landmarks from `first` on. The rim is in the mesh's order
 * (right, top, left, bottom). In the mirrored eye, left and right are exchanged.
 */
function putIris(
  landmarks: Float32Array,
  first: number,
  [centre, side, top, otherSide, bottom]: number[][],
): void {
  const acrossX = landmarks[3 * (first + 1)]! - landmarks[3 * (first + 3)]!;
  const acrossY = landmarks[3 * (first + 1) + 1]! - landmarks[3 * (first + 3) + 1]!;
  const agrees = acrossX * (side![0]! - otherSide![0]!) + acrossY * (side![1]! - otherSide![1]!) >= 0;
  const ordered = agrees ? [centre, side, top, otherSide, bottom] : [centre, otherSide, top, side, bottom];
  ordered.forEach((point, i) => {
    landmarks[3 * (first + i)] = point![0]!;
    landmarks[3 * (first + i) + 1] = point![1]!;
  });
}

/** Returns the map to the image from the crop with its columns in reverse order. */
function mirrorColumns(toImage: Affine, side: number): Affine {
  const [a, b, c, d, e, f] = toImage;
  return [-a, b, c + a * side, -d, e, f + d * side];
}
