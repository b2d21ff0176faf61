import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { DetectedFace } from '@guise/contract/work.ts';

/** Returns a face as clients see it. */
export function describeFace(face: Face, faceIndex: number): DetectedFace {
  const { x, y, width, height } = face.box;
  const { yaw, pitch, roll } = face.pose;
  return { faceIndex, x, y, width, height, score: face.score, yaw, pitch, roll };
}
