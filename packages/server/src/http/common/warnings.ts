import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import type { DetectedFace } from '@guise/contract/work.ts';
import type { DetectedImage } from '../../tasks/task.ts';

/** Width below which a swapped face has less detail than the model is made for. */
const SMALL_FACE_PIXELS = 64;
/** Angle beyond which one side of the face is hidden. */
const PROFILE_DEGREES = 50;
/** Score below which a face is usually partly covered, or badly blurred. */
const OCCLUDED_SCORE = 0.7;

/** Lists what a client should know before it pays, if each image gives or takes one face. */
export function warnOfEach(images: readonly DetectedImage[]): Warning[] {
  return images.flatMap(warnOfImage);
}

/** Warns of the face that would be used, and of the others. */
export function warnOfImage({ field, faces }: DetectedImage): Warning[] {
  const face = largest(faces);
  if (face === null) return [{ field, code: 'NO_FACE', message: `No face was found in ${field}.` }];
  const warnings: Warning[] = [];
  if (faces.length > 1) {
    warnings.push({
      field,
      code: 'SEVERAL_FACES',
      message: `${field} has ${faces.length} faces; the largest one is used.`,
    });
  }
  return [...warnings, ...warnOfFace(field, face)];
}

/** Lists what speaks against a face. @param field in which the client named it. */
export function warnOfFace(field: string, face: DetectedFace): Warning[] {
  const warnings: Warning[] = [];
  const shortSide = Math.min(face.width, face.height);
  if (shortSide < SMALL_FACE_PIXELS) {
    warnings.push({
      field,
      code: 'SMALL_FACE',
      message: `The face in ${field} is only ${Math.round(shortSide)} pixels across.`,
    });
  }
  if (Math.abs(face.yaw) > PROFILE_DEGREES) {
    warnings.push({ field, code: 'PROFILE_FACE', message: `The face in ${field} is seen from the side.` });
  }
  if (face.score < OCCLUDED_SCORE) {
    warnings.push({
      field,
      code: 'OCCLUDED_FACE',
      message: `The face in ${field} seems to be partly covered.`,
    });
  }
  return warnings;
}

function largest(faces: readonly DetectedFace[]): DetectedFace | null {
  return faces.reduce<DetectedFace | null>(
    (best, face) => (best === null || area(face) > area(best) ? face : best),
    null,
  );
}

function area(face: DetectedFace): number {
  return face.width * face.height;
}
