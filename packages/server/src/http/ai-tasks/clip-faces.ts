import { invalidField } from '@guise/contract/errors.ts';
import type { PersonBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import type { ClipPart, PersonFace } from '@guise/contract/work.ts';
import { checkMappings } from '../../intake/map-persons.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { ClipFaces, StoredInput } from '../../tasks/task.ts';
import { toFractions } from '../../intake/to-fractions.ts';
import { numberedPairs } from './numbered-pairs.ts';
import { onePerson } from './workflow.ts';

/** Form fields that say which person gets which face. */
interface MappingForm {
  readonly inputs: Readonly<Record<string, StoredInput | undefined>>;
  readonly savedFaces: TakenForm['savedFaces'];
  readonly persons: Readonly<Record<string, PersonBoxBody | undefined>>;
  readonly lists: { readonly additionalSourceImages?: readonly StoredInput[] };
}

/**
 * Returns which faces a clip gets according to its form.
 * @throws AppError INVALID_REQUEST naming the field
 */
export function clipFaces(form: MappingForm, clip: StoredInput, part: ClipPart | undefined): ClipFaces {
  const { sourceImage } = form.inputs;
  const { additionalSourceImages } = form.lists;
  const pairs = numberedPairs(form, form.persons);
  if (pairs.length === 0) return onePerson(form, sourceImage, additionalSourceImages);
  const one = sourceImage?.field ?? (form.savedFaces.has('sourceFaceId') ? 'sourceFaceId' : undefined);
  if (one !== undefined)
    throw invalidField(one, 'was sent beside targetFace0: send one face, or one for each person.');
  if (additionalSourceImages !== undefined)
    throw invalidField('additionalSourceImages', 'goes with sourceImage, not with targetFace0.');
  const mappings = pairs.map(({ number, name, box, person }) => ({
    index: number,
    name,
    source: person.source,
    additionalSources: person.additionalSources,
    face: faceOf(name, box, clip),
  }));
  checkMappings(mappings, clip, part, 'atSeconds');
  return { mappings };
}

function faceOf(name: string, box: PersonBoxBody, clip: StoredInput): PersonFace {
  if ('personIndex' in box) return { personIndex: box.personIndex };
  return { seconds: box.atSeconds, box: toFractions(name, box, clip) };
}
