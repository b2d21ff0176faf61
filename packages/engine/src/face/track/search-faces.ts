import { releaseImage } from '@guise/kernels/scale/pyramid.ts';
import type { FaceAnalyser } from '../detect/analyser.ts';
import type { Box } from '../geometry/box.ts';
import { scaled } from '../geometry/landmark-transforms.ts';
import type { VideoFrame } from '../frame/video-frame.ts';

/** Longer side of the reduced frames that are searched for faces, pixels. */
const SEARCH_SIDE_PX = 640;
/**
 * Size of a face, as a share of the longer side, from which the cheap search misses no other face
 * that matters.
 */
const CLEAR_SHARE = 0.06;

/**
 * Returns the rough places of the largest faces of a frame, including known ones. Read each again
 * at its place.
 * @param known boxes of faces that are followed; beside one of them the cheap search is enough
 * @param most faces
 * @param isThorough whether to search for small or turned faces if none is clear
 * @returns landmarks of each, 478 x (x, y, z), pixels; the largest first
 */
export async function searchFaces(
  analyser: FaceAnalyser,
  frame: VideoFrame,
  known: readonly Box[],
  most: number,
  isThorough = true,
): Promise<Float32Array[]> {
  const { image, factor } = frame.reducedRgb(SEARCH_SIDE_PX);
  const reduced = known.map(({ left, top, right, bottom }) => ({
    left: left / factor,
    top: top / factor,
    right: right / factor,
    bottom: bottom / factor,
  }));
  const clear = await analyser.detectBeside(image, reduced);
  const least = CLEAR_SHARE * Math.max(image.width, image.height);
  const isEnough = !isThorough || known.length > 0 || clear.some(({ box }) => box.width >= least);
  const faces = isEnough ? clear : await analyser.detect(image);
  releaseImage(image);
  const bySize = faces.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  return bySize.slice(0, most).map(({ landmarks }) => scaled(landmarks, factor));
}
