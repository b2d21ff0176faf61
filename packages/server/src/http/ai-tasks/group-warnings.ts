import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import { type FailureCode, TaskFailure } from '@guise/contract/errors.ts';
import { matchFaces } from '@guise/contract/match-faces.ts';
import type { DetectedFace, MappedBox } from '@guise/contract/work.ts';
import type { DetectedImage, SwapGroupOrder } from '../../tasks/task.ts';
import { warnOfFace, warnOfImage } from '../common/warnings.ts';

/**
 * Warns of the mapped faces of a group photo, the only ones that matter, and of mappings that would
 * fail, before they cost anything.
 */
export function groupWarnings(
  { target, replacements }: SwapGroupOrder,
  images: readonly DetectedImage[],
): Warning[] {
  return images.flatMap((image) => {
    if (image.field !== target.field || image.faces.length === 0) return warnOfImage(image);
    return mappingWarnings(
      replacements.map(({ box }) => box),
      image.faces,
    );
  });
}

function mappingWarnings(boxes: readonly MappedBox[], faces: readonly DetectedFace[]): Warning[] {
  const matched: MappedBox[] = [];
  const warnings = boxes.flatMap((box) => {
    const failure = failureOf([box], faces) ?? failureOf([...matched, box], faces);
    if (failure !== null) {
      return [{ field: box.name, code: failure.code as Warning['code'], message: failure.message }];
    }
    matched.push(box);
    return [];
  });
  const faceIndexes = matchFaces(matched, faces);
  return [...warnings, ...matched.flatMap((box, at) => warnOfFace(box.name, faces[faceIndexes[at]!]!))];
}

function failureOf(
  boxes: readonly MappedBox[],
  faces: readonly DetectedFace[],
): { readonly code: FailureCode; readonly message: string } | null {
  try {
    matchFaces(boxes, faces);
    return null;
  } catch (error) {
    if (error instanceof TaskFailure) return error;
    throw error;
  }
}
