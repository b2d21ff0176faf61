import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Workspace } from '@guise/kernels/workspace.ts';
import type { FaceBox } from '../../face/geometry/face.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import type { VideoFrame } from '../../face/frame/video-frame.ts';
import { handsBefore } from '../hands/hands-before.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { shrinkAtlas, unwrapFace } from '../uv/atlas.ts';

/**
 * Finds the coverage of a face by the hands of one frame, 0..1 in the atlas's size.
 * @param studyLayout of the atlas in which the hands' outline is found
 * @param space for the result @returns null if every hand is away from the face
 */
export function handMatte(
  hands: readonly Hand[],
  frame: VideoFrame,
  rect: FaceBox,
  landmarks: Float32Array,
  layout: AtlasLayout,
  studyLayout: AtlasLayout,
  space: Workspace,
): Float32Array | null {
  if (hands.length === 0) return null;
  const pyramid = new ImagePyramid(frame.reducedRegion(rect, 1, space), space);
  const atlas = unwrapFace(studyLayout, pyramid, landmarks, space);
  const small = shrinkAtlas(atlas, COARSE_SIDE, space);
  const held = handsBefore(hands, landmarks, atlas, small, studyLayout, space);
  if (!held) return null;
  const { side } = layout;
  const plane = space.uninitialised(side * side);
  enlargeSquare(held.matte, studyLayout.side, side / studyLayout.side, plane);
  return plane;
}
