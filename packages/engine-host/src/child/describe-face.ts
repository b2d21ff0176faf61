import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { ReviewedFace, ReviewedFaces } from '@guise/engine/pipeline/review-face.ts';
import type { DetectedFace, FaceTrait, SwappedFaces } from '@guise/contract/work.ts';

/** Returns a face as clients see it. @param traits result of a review, if there was one */
export function describeFace(face: Face, faceIndex: number, traits?: readonly FaceTrait[]): DetectedFace {
  const { x, y, width, height } = face.box;
  const { yaw, pitch, roll } = face.pose;
  const described = { faceIndex, x, y, width, height, score: face.score, yaw, pitch, roll };
  return traits === undefined ? described : { ...described, traits };
}

/** Returns the faces of a swap as clients see them. */
export function describeSwapped({ source, target }: ReviewedFaces): SwappedFaces {
  const described = describeReviewed(source);
  return target === undefined
    ? { source: described }
    : { source: described, target: describeReviewed(target) };
}

function describeReviewed({ face, traits }: ReviewedFace): DetectedFace {
  return describeFace(face, 0, traits);
}
