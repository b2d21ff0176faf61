import type { RgbImage } from '@guise/kernels/image.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { FaceAnalyser } from '../detect/analyser.ts';
import { scaled, translated } from '../geometry/landmark-transforms.ts';
import { MESH_REGION_SCALE, regionOfMesh } from '../geometry/region.ts';
import type { VideoFrame } from '../frame/video-frame.ts';
import { wholePixels } from '../frame/video-frame.ts';

/** Score of the landmark network, 0..1, from which there is a face. */
const MIN_TRACKED_SCORE = 0.5;
/**
 * Side of the square in which the landmark network sees a face, pixels. Many more pixels need not
 * be read.
 */
const NETWORK_SIDE = 192;
/**
 * Reduction below which it is faster to read all pixels and halve them in kernels than to pick
 * fewer.
 */
const MIN_REDUCTION = 4;

/**
 * The part of a frame that is read, which begins at `x`, `y` of the frame and is `factor` times
 * smaller. `space` lasts as long as the part.
 */
interface Crop {
  readonly x: number;
  readonly y: number;
  readonly factor: number;
  readonly space: Workspace;
}

/**
 * Returns the face near `expected` (478 x (x, y, z), the frame's pixels) in this frame; null if
 * there is no face.
 */
export async function readMeshNear(
  analyser: FaceAnalyser,
  frame: VideoFrame,
  expected: Float32Array,
): Promise<Float32Array | null> {
  return inCrop(frame, expected, async (image, near, crop) => {
    if (image.width < 8 || image.height < 8) return null;
    const region = regionOfMesh(near, MESH_REGION_SCALE);
    const { landmarks, score } = await analyser.readMesh(new ImagePyramid(image, crop.space), region);
    return score < MIN_TRACKED_SCORE ? null : translated(scaled(landmarks, crop.factor), crop.x, crop.y);
  });
}

/** Returns the identity of the face with these landmarks; see `FaceAnalyser.embed`. */
export async function embedFace(
  analyser: FaceAnalyser,
  frame: VideoFrame,
  landmarks: Float32Array,
): Promise<Float32Array> {
  return inCrop(frame, landmarks, (image, near) => analyser.embed(image, { landmarks: near }));
}

/**
 * Gives `use` the part of the frame that a network reads around the landmarks, and the landmarks in
 * its pixels. The memory of the picture and of all arrays from `space` is reused after `use`,
 * because new buffers for every frame would keep V8's garbage collector busy.
 */
async function inCrop<T>(
  frame: VideoFrame,
  landmarks: Float32Array,
  use: (image: RgbImage, landmarks: Float32Array, crop: Crop) => Promise<T>,
): Promise<T> {
  const { x, y, size, angle } = regionOfMesh(landmarks, MESH_REGION_SCALE);
  const half = (size * (Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle)))) / 2 + 2;
  const rect = wholePixels(
    { x: x - half, y: y - half, width: 2 * half, height: 2 * half },
    frame.width,
    frame.height,
  );
  const wanted = Math.floor(size / NETWORK_SIDE);
  const factor = wanted < MIN_REDUCTION ? 1 : wanted;
  using space = new Workspace();
  const image = frame.reducedRegion(rect, factor, space);
  const near = scaled(translated(landmarks, -rect.x, -rect.y), 1 / factor);
  return await use(image, near, { x: rect.x, y: rect.y, factor, space });
}
