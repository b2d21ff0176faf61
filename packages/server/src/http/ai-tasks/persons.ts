import { invalidField } from '@guise/contract/errors.ts';
import type { PersonBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import type { ClipPart, PersonFace } from '@guise/contract/work.ts';
import { checkMappings } from '../../intake/map-persons.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { MappedSource, StoredInput } from '../../tasks/task.ts';
import { inShares } from '../../intake/in-shares.ts';
import { numberedPairs } from './numbered-pairs.ts';

/**
 * Returns the people that a form of a clip maps; null if it has a source for the main person.
 * @throws AppError INVALID_REQUEST naming the field
 */
export function mappedPersons(
  { inputs, lists, persons }: TakenForm,
  clip: StoredInput,
  part: ClipPart | null,
): MappedSource[] | null {
  const pairs = numberedPairs(inputs, persons);
  const [first] = pairs;
  if (first === undefined) {
    if (inputs.sourceImage === undefined) throw invalidField('sourceImage', 'is missing.');
    return null;
  }
  if (inputs.sourceImage !== undefined)
    throw invalidField('sourceImage', 'was sent beside targetFace0: send one face, or one for each person.');
  if (lists.additionalSourceImages !== undefined)
    throw invalidField('additionalSourceImages', 'goes with sourceImage, not with targetFace0.');
  const mappings = pairs.map(({ number, name, source, box }) => ({
    index: number,
    name,
    source,
    face: faceOf(name, box, clip),
  }));
  checkMappings(mappings, clip, part, 'atSeconds');
  return mappings;
}

function faceOf(name: string, box: PersonBoxBody, clip: StoredInput): PersonFace {
  if ('personIndex' in box) return { personIndex: box.personIndex };
  return { seconds: box.atSeconds, box: inShares(name, box, clip) };
}
