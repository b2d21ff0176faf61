import { invalidField } from '@guise/contract/errors.ts';
import type { ClipPart, PersonFace } from '@guise/contract/work.ts';
import type { MappedSource, StoredInput } from '../tasks/task.ts';

/** Time by which a moment may be after the end of its clip, because clip lengths are rounded. */
const LENGTH_TOLERANCE_SECONDS = 0.05;

/**
 * Checks that the face mappings of a clip do not conflict and that their moments are within the
 * clip or part.
 * @param moment name of the member that holds a mapping's moment
 * @throws AppError INVALID_REQUEST naming the mapping
 */
export function checkMappings(
  mappings: readonly MappedSource[],
  clip: StoredInput,
  part: ClipPart | undefined,
  moment: string,
): void {
  const takenBy = new Map<number | string, string>();
  const length = clip.durationSeconds ?? 0;
  for (const { name, face } of mappings) {
    if ('personIndex' in face) {
      const other = takenBy.get(face.personIndex);
      if (other !== undefined)
        throw invalidField(
          name,
          `names person ${face.personIndex}, as ${other} does: a person can get only one face.`,
        );
      takenBy.set(face.personIndex, name);
      continue;
    }
    const place = placeOf(face);
    const other = takenBy.get(place);
    if (other !== undefined)
      throw invalidField(name, `has the same box as ${other}: a person can get only one face.`);
    takenBy.set(place, name);
    const [from, to] = part === undefined ? [0, length] : [part.startSeconds, part.endSeconds];
    if (face.seconds < from || face.seconds > to + LENGTH_TOLERANCE_SECONDS) {
      const where =
        part === undefined ? `${clip.field}, which is ${length} seconds long` : 'the part to swap';
      throw invalidField(name, `must have an ${moment} within ${where}.`);
    }
  }
}

/** Makes a key of a moment and a box, rounded to four digits. */
function placeOf({ seconds, box }: Exclude<PersonFace, { readonly personIndex: number }>): string {
  return [seconds, box.x, box.y, box.width, box.height].map((value) => value.toFixed(4)).join(' ');
}
