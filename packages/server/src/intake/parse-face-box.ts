import { type FaceBoxBody, faceBoxSchema } from '@guise/contract/ai-tasks/schemas.ts';
import { type AppError, fieldError } from '@guise/contract/errors.ts';

/** Members of a face box that are numbers. */
const NUMBER_MEMBERS = ['x', 'y', 'width', 'height'] as const;

/** Example of what a message asks for. */
const EXAMPLE = '{"x":10,"y":20,"width":100,"height":120}';

/**
 * Parses a `faceBoxN` and checks every rule that needs no picture.
 * @throws AppError INVALID_REQUEST naming the field and the member.
 */
export function parseFaceBox(name: string, text: string): FaceBoxBody {
  const members = parseObject(name, text, EXAMPLE);
  const doubled = doubledMember(text);
  if (doubled !== null) throw invalid(name, `has the member ${JSON.stringify(doubled.slice(0, 64))} twice.`);
  for (const member of Object.keys(members)) {
    if (!Object.hasOwn(faceBoxSchema.properties, member)) {
      throw invalid(name, `has an unknown member ${JSON.stringify(member.slice(0, 64))}.`);
    }
  }
  // JSON says 1e999 and means Infinity.
  for (const member of NUMBER_MEMBERS) {
    if (!Number.isFinite(members[member])) throw invalid(name, `needs a number ${member}.`);
  }
  const { faceIndex, x, y, width, height } = members as unknown as FaceBoxBody;
  if (width <= 0 || height <= 0) throw invalid(name, `must have a width and a height above 0.`);
  if (faceIndex === undefined) return { x, y, width, height };
  if (!(Number.isSafeInteger(faceIndex) && faceIndex >= 0)) {
    throw invalid(name, `has a faceIndex that is no whole number from 0.`);
  }
  return { faceIndex, x, y, width, height };
}

/**
 * Parses a JSON object. @param example of one, for the message
 * @throws AppError INVALID_REQUEST naming the field.
 */
export function parseObject(name: string, text: string, example: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(name, `must be a JSON object like ${example}.`);
  }
  return value as Record<string, unknown>;
}

/**
 * `JSON.parse` keeps the last of several and hides the rest. @param text of an object that it has
 * read.
 */
export function doubledMember(text: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  for (const [token, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (string === undefined) depth += token === '{' || token === '[' ? 1 : -1;
    if (colon === undefined || depth > 1) continue;
    const member = JSON.parse(string!) as string;
    if (seen.has(member)) return member;
    seen.add(member);
  }
  return null;
}

function invalid(name: string, rest: string): AppError {
  return fieldError('INVALID_REQUEST', name, rest);
}
