import { TaskFailure } from './errors.ts';
import type { DetectedFace, MappedBox } from './work.ts';

/**
 * Smallest overlap of a box and its face, as intersection over union (docs/spec/details#facebox).
 */
const MIN_OVERLAP = 0.3;

type Box = Pick<MappedBox, 'x' | 'y' | 'width' | 'height'>;

/**
 * Finds the face for each box (docs/spec/details#facebox, docs/spec/ai-tasks#group-photo).
 * @returns the `faceIndex` for each box, in the order of the boxes.
 * @throws TaskFailure FACE_NOT_FOUND, FACE_BOX_MISMATCH or FACE_BOX_CONFLICT, naming the box.
 */
export function matchFaces(boxes: readonly MappedBox[], faces: readonly DetectedFace[]): number[] {
  const takenBy = new Map<number, string>();
  return boxes.map((box) => {
    const { faceIndex } = matchFace(box, faces);
    const other = takenBy.get(faceIndex);
    if (other !== undefined) {
      throw new TaskFailure('FACE_BOX_CONFLICT', `${other} and ${box.name} both select face ${faceIndex}.`);
    }
    takenBy.set(faceIndex, box.name);
    return faceIndex;
  });
}

function matchFace(box: MappedBox, faces: readonly DetectedFace[]): DetectedFace {
  if (box.faceIndex !== undefined) {
    const wanted = faces[box.faceIndex];
    if (wanted === undefined) {
      throw new TaskFailure(
        'FACE_NOT_FOUND',
        `${box.name}: the group photo has no face with faceIndex ${box.faceIndex}; it has ${faces.length}.`,
      );
    }
    if (!matches(box, wanted)) {
      throw new TaskFailure(
        'FACE_BOX_MISMATCH',
        `${box.name} does not match the face with faceIndex ${box.faceIndex}.`,
      );
    }
    return wanted;
  }
  let best: DetectedFace | undefined;
  for (const face of faces) {
    if (matches(box, face) && (best === undefined || overlap(box, face) > overlap(box, best))) best = face;
  }
  if (best === undefined) {
    throw new TaskFailure('FACE_NOT_FOUND', `${box.name}: the group photo has no face in this box.`);
  }
  return best;
}

function matches(box: Box, face: Box): boolean {
  return overlap(box, face) >= MIN_OVERLAP || hasCentreOf(face, box);
}

/** Returns the intersection over union of two boxes, 0 to 1. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const common = width * height;
  return common / (a.width * a.height + b.width * b.height - common);
}

function hasCentreOf(face: Box, box: Box): boolean {
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  return x >= face.x && x <= face.x + face.width && y >= face.y && y <= face.y + face.height;
}
