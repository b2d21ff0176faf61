import type { PersonBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import { type AppError, fieldError } from '@guise/contract/errors.ts';
import { doubledMember, parseObject } from './parse-face-box.ts';

/** Members that say where a face is at some moment. */
const PLACE_MEMBERS = ['atSeconds', 'x', 'y', 'width', 'height'] as const;
/** Example of what a message asks for. */
const EXAMPLE = '{"personIndex":1} or {"atSeconds":2.5,"x":10,"y":20,"width":100,"height":120}';

/**
 * Parses a `faceBoxN` of a video or GIF and checks every rule that needs no clip.
 * @throws AppError INVALID_REQUEST naming the field and the member.
 */
export function parsePersonBox(name: string, text: string): PersonBoxBody {
  const members = parseObject(name, text, EXAMPLE);
  const doubled = doubledMember(text);
  if (doubled !== null) throw invalid(name, `has the member ${JSON.stringify(doubled.slice(0, 64))} twice.`);
  for (const member of Object.keys(members)) {
    if (member !== 'personIndex' && !(PLACE_MEMBERS as readonly string[]).includes(member))
      throw invalid(name, `has an unknown member ${JSON.stringify(member.slice(0, 64))}.`);
  }
  if ('personIndex' in members) {
    const { personIndex, ...rest } = members;
    if (Object.keys(rest).length > 0) throw invalid(name, `has a personIndex and a place: send one of them.`);
    if (!(Number.isSafeInteger(personIndex) && (personIndex as number) >= 0))
      throw invalid(name, `has a personIndex that is no whole number from 0.`);
    return { personIndex: personIndex as number };
  }
  // JSON says 1e999 and means Infinity.
  for (const member of PLACE_MEMBERS) {
    if (!Number.isFinite(members[member])) throw invalid(name, `needs a number ${member}.`);
  }
  const { atSeconds, x, y, width, height } = members as Record<(typeof PLACE_MEMBERS)[number], number>;
  if (width <= 0 || height <= 0) throw invalid(name, `must have a width and a height above 0.`);
  if (atSeconds < 0) throw invalid(name, `must have an atSeconds of 0 or more.`);
  return { atSeconds, x, y, width, height };
}

function invalid(field: string, rest: string): AppError {
  return fieldError('INVALID_REQUEST', field, rest);
}
