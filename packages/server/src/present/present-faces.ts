import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';
import type { DetectedImage } from '../tasks/task.ts';

/**
 * Presents faces, rounded to hundredths of a pixel and of a degree, the detector's accuracy. Boxes
 * are cut at the edges of the image, so that they are valid `faceBox`es for this image
 * (docs/spec/details#facebox).
 */
export function presentFaces({
  width,
  height,
  faces,
}: Pick<DetectedImage, 'width' | 'height' | 'faces'>): DetectedFaceBody[] {
  return faces.map((face) => {
    const [x, right] = within(face.x, face.width, width);
    const [y, bottom] = within(face.y, face.height, height);
    return {
      faceIndex: face.faceIndex,
      x,
      y,
      width: round(right - x, 100),
      height: round(bottom - y, 100),
      score: round(face.score, 10_000),
      yaw: round(face.yaw, 100),
      pitch: round(face.pitch, 100),
      roll: round(face.roll, 100),
    };
  });
}

/** Rounds both ends. A rounded start plus a rounded size could exceed the image. */
function within(start: number, size: number, limit: number): [start: number, end: number] {
  return [round(Math.max(0, start), 100), round(Math.min(limit, start + size), 100)];
}

function round(value: number, steps: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round(value * steps) / steps + 0;
}
