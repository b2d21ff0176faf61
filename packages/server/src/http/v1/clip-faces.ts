import { invalidField } from '@guise/contract/errors.ts';
import type { VIDEO_SWAP_BODY } from '@guise/contract/v1/bodies.ts';
import type { ClipPart, PersonFace } from '@guise/contract/work.ts';
import { toFractions } from '../../intake/to-fractions.ts';
import { checkMappings } from '../../intake/map-persons.ts';
import { sourceOf } from '../../intake/take-faces.ts';
import type { TakenBody } from '../../intake/take-json.ts';
import type { ClipFaces, SourcePhotos, StoredInput } from '../../tasks/task.ts';

/** Members of a box. */
const BOX_MEMBERS = ['x', 'y', 'width', 'height'] as const;

/**
 * Returns which faces a clip gets according to its body.
 * @throws AppError INVALID_REQUEST naming the field
 */
export function clipFaces(
  body: TakenBody<typeof VIDEO_SWAP_BODY>,
  clip: StoredInput,
  part: ClipPart | undefined,
): ClipFaces {
  const { inputs, nested, nestedInputs, objects, savedFaces } = body;
  const count = objects.get('face_mappings');
  if (count === undefined) return personOf(body, inputs.source_image);
  const one = inputs.source_image?.field ?? (savedFaces.has('source_face_id') ? 'source_face_id' : undefined);
  if (one !== undefined)
    throw invalidField(one, 'was sent beside face_mappings: send one face, or one for each person.');
  if (count === 0) throw invalidField('face_mappings', 'must hold at least one mapping.');
  const mappings = Array.from({ length: count }, (_, index) => {
    const name = `face_mappings[${index}]`;
    const person = personOf(body, nestedInputs.get(`${name}.source_image`), `${name}.`);
    return { index, name, ...person, face: faceOf(name, nested, clip) };
  });
  checkMappings(mappings, clip, part, 'at_seconds');
  return { mappings };
}

/**
 * Returns the photos of a person: those of `source_face_id`, or `source_image`.
 * @param prefix of the names of both
 * @throws AppError INVALID_REQUEST unless it is one of them
 */
export function personOf(
  { savedFaces }: Pick<TakenBody, 'savedFaces'>,
  source: StoredInput | undefined,
  prefix = '',
): SourcePhotos {
  const [image, field] = [`${prefix}source_image`, `${prefix}source_face_id`];
  const face = savedFaces.get(field);
  if (face === undefined) {
    if (source === undefined) throw invalidField(image, 'is missing.');
    return { source };
  }
  if (source !== undefined) throw invalidField(field, `was sent beside ${image}: send one of them.`);
  return sourceOf(face);
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
