import { invalidField } from '@guise/contract/errors.ts';
import type { VIDEO_SWAP_BODY } from '@guise/contract/v1/bodies.ts';
import type { ClipPart, PersonFace } from '@guise/contract/work.ts';
import { toFractions } from '../../intake/to-fractions.ts';
import { checkMappings } from '../../intake/map-persons.ts';
import type { TakenBody } from '../../intake/take-json.ts';
import type { ClipFaces, StoredInput } from '../../tasks/task.ts';

/** Members of a box. */
const BOX_MEMBERS = ['x', 'y', 'width', 'height'] as const;

/**
 * Returns which faces a clip gets according to its body.
 * @throws AppError INVALID_REQUEST naming the field
 */
export function clipFaces(
  { inputs, nested, nestedInputs, objects }: TakenBody<typeof VIDEO_SWAP_BODY>,
  clip: StoredInput,
  part: ClipPart | undefined,
): ClipFaces {
  const count = objects.get('face_mappings');
  if (count === undefined) {
    if (inputs.source_image === undefined) throw invalidField('source_image', 'is missing.');
    return { source: inputs.source_image };
  }
  if (inputs.source_image !== undefined)
    throw invalidField(
      'source_image',
      'was sent beside face_mappings: send one face, or one for each person.',
    );
  if (count === 0) throw invalidField('face_mappings', 'must hold at least one mapping.');
  const mappings = Array.from({ length: count }, (_, index) => {
    const name = `face_mappings[${index}]`;
    const source = nestedInputs.get(`${name}.source_image`);
    if (source === undefined) throw invalidField(`${name}.source_image`, 'is missing.');
    return { index, name, source, face: faceOf(name, nested, clip) };
  });
  checkMappings(mappings, clip, part, 'at_seconds');
  return { mappings };
}

function faceOf(name: string, nested: TakenBody['nested'], clip: StoredInput): PersonFace {
  const numberOf = (field: string): number | undefined =>
    nested.get(`${name}.${field}`) as number | undefined;
  const personIndex = numberOf('person_index');
  const seconds = numberOf('at_seconds');
  const members = BOX_MEMBERS.map((member) => numberOf(`box.${member}`));
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
  return { seconds, box: toFractions(`${name}.box`, { x, y, width, height }, clip) };
}
