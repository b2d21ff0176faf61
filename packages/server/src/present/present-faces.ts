import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';
import type { DetectedImage } from '../tasks/task.ts';

/**
 * Faces with no more digits than the detector can mean: hundredths of a pixel and of a degree. A
 * face that the image's edge cuts through is known beyond it; its box ends there, so that it is a
 * `faceBox` for this image (docs/spec/details#facebox).
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

/** Both ends are rounded: a start and a size would add up to more than the image has. */
function within(start: number, size: number, limit: number): [start: number, end: number] {
  return [round(Math.max(0, start), 100), round(Math.min(limit, start + size), 100)];
}

function round(value: number, steps: number): number {
  // Never -0, which JSON cannot say.
  return Math.round(value * steps) / steps + 0;
}
