import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import { type FaceRole, warnOfField } from '@guise/contract/warnings.ts';
import type { DetectedFace } from '@guise/contract/work.ts';
import type { DetectedImage } from '../../tasks/task.ts';

/** Beginning of the names of source fields, in both interfaces. */
const SOURCE_FIELD = /^(source|additionalSource|targetFace|face_mappings|photos)/;

/**
 * Lists what a client should know before paying, if each image has one face to use. A problem of a
 * source is left out if the only target has the same problem.
 */
export function warnOfEach(images: readonly DetectedImage[]): Warning[] {
  const targets = images.filter(({ field }) => roleOf(field) === 'target');
  const target = targets.length === 1 ? largest(targets[0]!.faces) : null;
  return images.flatMap((image) => warnOfImage(image, target ?? undefined));
}

/** Warns about the face that is used and about other faces. @param target the swap's target face */
export function warnOfImage({ field, faces }: DetectedImage, target?: DetectedFace): Warning[] {
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
  return [...warnings, ...warnOfField(field, roleOf(field), face, target)];
}

function roleOf(field: string): FaceRole {
  return SOURCE_FIELD.test(field) ? 'source' : 'target';
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
