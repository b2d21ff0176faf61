import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import { type FailureCode, TaskFailure } from '@guise/contract/errors.ts';
import { matchFaces } from '@guise/contract/match-faces.ts';
import type { DetectedFace, MappedBox } from '@guise/contract/work.ts';
import type { DetectedImage, SwapGroupOrder } from '../../tasks/task.ts';
import { warnOfField } from '@guise/contract/warnings.ts';
import { warnOfImage } from '../common/warnings.ts';

/**
 * Lists warnings about the images and mappings of a group swap, so that clients see them before
 * they pay. In the group photo, only mapped faces are checked, because only those are swapped.
 */
export function groupWarnings(
  { target, replacements }: SwapGroupOrder,
  images: readonly DetectedImage[],
): Warning[] {
  const faces = images.find(({ field }) => field === target.field)?.faces ?? [];
  const { failures, matched } = mapBoxes(
    replacements.map(({ box }) => box),
    faces,
  );
  return images.flatMap((image) => {
    if (image.field !== target.field) {
      const replacement = replacements.find(({ source }) => source.field === image.field);
      return warnOfImage(image, matched.get(replacement?.box.name ?? ''));
    }
    if (faces.length === 0) return warnOfImage(image);
    return [...failures, ...[...matched].flatMap(([name, face]) => warnOfField(name, 'target', face))];
  });
}

/**
 * Matches boxes with faces.
 * @returns the face of each matched box by the box's name, and the reasons why other boxes match no
 * face.
 */
function mapBoxes(
  boxes: readonly MappedBox[],
  faces: readonly DetectedFace[],
): { readonly failures: Warning[]; readonly matched: ReadonlyMap<string, DetectedFace> } {
  const fitting: MappedBox[] = [];
  const failures = boxes.flatMap((box): Warning[] => {
    const failure = failureOf([box], faces) ?? failureOf([...fitting, box], faces);
    if (failure === null) {
      fitting.push(box);
      return [];
    }
    return [{ field: box.name, code: failure.code as Warning['code'], message: failure.message }];
  });
  const indexes = matchFaces(fitting, faces);
  return { failures, matched: new Map(fitting.map(({ name }, at) => [name, faces[indexes[at]!]!])) };
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
