import { type FaceBoxBody, faceBoxSchema, type PersonBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import { invalidField } from '@guise/contract/errors.ts';
import { readMembers, requireNumbers } from './json-members.ts';

/** Members of a face box that are numbers. */
const NUMBER_MEMBERS = ['x', 'y', 'width', 'height'] as const;

/** Rules for a face box. */
const FACE_RULES = {
  allowed: Object.keys(faceBoxSchema.properties),
  example: '{"x":10,"y":20,"width":100,"height":120}',
};

/** Members that say where a face is at a certain moment. */
const PLACE_MEMBERS = ['atSeconds', 'x', 'y', 'width', 'height'] as const;
/** Rules for a box of a person. */
const PERSON_RULES = {
  allowed: ['personIndex', ...PLACE_MEMBERS],
  example: '{"personIndex":1} or {"atSeconds":2.5,"x":10,"y":20,"width":100,"height":120}',
};

/**
 * Parses a `faceBoxN` and checks every rule that can be checked without the picture.
 * @throws AppError INVALID_REQUEST naming the field and the member.
 */
export function parseFaceBox(name: string, text: string): FaceBoxBody {
  const members = readMembers(name, text, FACE_RULES);
  const { x, y, width, height } = requireNumbers(name, members, NUMBER_MEMBERS);
  if (width <= 0 || height <= 0) throw invalidField(name, `must have a width and a height above 0.`);
  const { faceIndex } = members;
  if (faceIndex === undefined) return { x, y, width, height };
  if (!(Number.isSafeInteger(faceIndex) && (faceIndex as number) >= 0)) {
    throw invalidField(name, `has a faceIndex that is not a whole number of 0 or more.`);
  }
  return { faceIndex: faceIndex as number, x, y, width, height };
}

/**
 * Parses a `faceBoxN` of a video or GIF and checks every rule that can be checked without the clip.
 * @throws AppError INVALID_REQUEST naming the field and the member.
 */
export function parsePersonBox(name: string, text: string): PersonBoxBody {
  const members = readMembers(name, text, PERSON_RULES);
  if ('personIndex' in members) {
    const { personIndex, ...rest } = members;
    if (Object.keys(rest).length > 0)
      throw invalidField(name, `has a personIndex and a place: send one of them.`);
    if (!(Number.isSafeInteger(personIndex) && (personIndex as number) >= 0))
      throw invalidField(name, `has a personIndex that is not a whole number of 0 or more.`);
    return { personIndex: personIndex as number };
  }
  const { atSeconds, x, y, width, height } = requireNumbers(name, members, PLACE_MEMBERS);
  if (width <= 0 || height <= 0) throw invalidField(name, `must have a width and a height above 0.`);
  if (atSeconds < 0) throw invalidField(name, `must have an atSeconds of 0 or more.`);
  return { atSeconds, x, y, width, height };
}
