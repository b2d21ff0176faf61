import { invalidField } from '@guise/contract/errors.ts';
import type { ClipPart, PersonFace } from '@guise/contract/work.ts';
import { inShares } from '../../intake/in-shares.ts';
import { checkMappings } from '../../intake/map-persons.ts';
import type { TakenBody } from '../../intake/take-json.ts';
import type { MappedSource, StoredInput } from '../../tasks/task.ts';

/** Numbers of a box, as a body has them. */
const BOX_MEMBERS = ['x', 'y', 'width', 'height'] as const;

/**
 * Returns the people that a body maps; null if it has a source for the main person.
 * @throws AppError INVALID_REQUEST naming the field
 */
export function faceMappings(
  { inputs, values, objects }: TakenBody,
  clip: StoredInput,
  part: ClipPart | null,
): MappedSource[] | null {
  const count = objects.get('face_mappings');
  if (count === undefined) {
    if (inputs.source_image === undefined) throw invalidField('source_image', 'is missing.');
    return null;
  }
  if (inputs.source_image !== undefined)
    throw invalidField(
      'source_image',
      'was sent beside face_mappings: send one face, or one for each person.',
    );
  if (count === 0) throw invalidField('face_mappings', 'must hold at least one mapping.');
  const mappings = Array.from({ length: count }, (_, index) => {
    const name = `face_mappings[${index}]`;
    const source = inputs[`${name}.source_image`];
    if (source === undefined) throw invalidField(`${name}.source_image`, 'is missing.');
    return { index, name, source, face: faceOf(name, values, clip) };
  });
  checkMappings(mappings, clip, part, 'at_seconds');
  return mappings;
}

function faceOf(name: string, values: TakenBody['values'], clip: StoredInput): PersonFace {
  const personIndex = values[`${name}.person_index`] as number | undefined;
  const seconds = values[`${name}.at_seconds`] as number | undefined;
  const members = BOX_MEMBERS.map((member) => values[`${name}.box.${member}`] as number | undefined);
  const hasBox = members.some((member) => member !== undefined);
  if (personIndex !== undefined) {
    if (seconds !== undefined || hasBox)
      throw invalidField(name, `has a person_index and a place: send one of them.`);
    return { personIndex };
  }
  if (seconds === undefined) throw invalidField(name, `needs a person_index, or at_seconds and a box.`);
  for (const [at, member] of members.entries())
    if (member === undefined) throw invalidField(`${name}.box.${BOX_MEMBERS[at]!}`, 'is missing.');
  const [x, y, width, height] = members as [number, number, number, number];
  if (width <= 0 || height <= 0) throw invalidField(`${name}.box`, 'must have a width and a height above 0.');
  return { seconds, box: inShares(`${name}.box`, { x, y, width, height }, clip) };
}
