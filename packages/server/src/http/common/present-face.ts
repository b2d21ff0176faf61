import type { DetectedFace } from '../../tasks/task.ts';

/** A face with no more digits than the detector can mean: hundredths of a pixel and of a degree. */
export function presentFace(face: DetectedFace): DetectedFace {
  return {
    faceIndex: face.faceIndex,
    x: round(face.x, 100),
    y: round(face.y, 100),
    width: round(face.width, 100),
    height: round(face.height, 100),
    score: round(face.score, 10_000),
    yaw: round(face.yaw, 100),
    pitch: round(face.pitch, 100),
    roll: round(face.roll, 100),
  };
}

function round(value: number, steps: number): number {
  // Never -0, which JSON cannot say.
  return Math.round(value * steps) / steps + 0;
}
