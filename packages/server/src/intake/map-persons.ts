import { type AppError, fieldError } from '@guise/contract/errors.ts';
import type { ClipPart } from '@guise/contract/work.ts';
import type { MappedSource, StoredInput } from '../tasks/task.ts';

/** A mapping whose face is known, before all of them are compared. */
export type WantedPerson = MappedSource;

/** Time by which a moment may lie behind its clip, since lengths are rounded. */
const LENGTH_TOLERANCE_SECONDS = 0.05;

/**
 * Checks that the mappings of a clip go together.
 * @param moment name of the member that holds a mapping's moment
 * @throws AppError INVALID_REQUEST naming the mapping
 */
export function checkMappings(
  mappings: readonly WantedPerson[],
  clip: StoredInput,
  part: ClipPart | null,
  moment: string,
): void {
  const takenBy = new Map<number, string>();
  const length = clip.durationSeconds ?? 0;
  for (const { name, face } of mappings) {
    if ('personIndex' in face) {
      const other = takenBy.get(face.personIndex);
      if (other !== undefined)
        throw invalid(name, `means person ${face.personIndex}, like ${other}: one face a person.`);
      takenBy.set(face.personIndex, name);
      continue;
    }
    const [from, to] = part === null ? [0, length] : [part.startSeconds, part.endSeconds];
    if (face.seconds < from || face.seconds > to + LENGTH_TOLERANCE_SECONDS) {
      const where = part === null ? `${clip.field}, which is ${length} seconds long` : 'the wanted part';
      throw invalid(name, `must have an ${moment} within ${where}.`);
    }
  }
}

function invalid(field: string, rest: string): AppError {
  return fieldError('INVALID_REQUEST', field, rest);
}
