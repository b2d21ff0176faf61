import { type AppError, invalidField } from '@guise/contract/errors.ts';
import type { JsonField } from '@guise/contract/v1/body.ts';

export type Scalar = string | number | boolean;

/** Parses a number, true or false. @returns null if the value does not have the field's type. */
export function parseLiteral({ kind }: JsonField, text: string): Scalar | null {
  if (kind === 'switch') return text === 'true' ? true : text === 'false' ? false : null;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) return null;
  const value = Number(text);
  // Number('1e999') is Infinity. Adding 0 turns -0 into 0.
  if (kind === 'number') return Number.isFinite(value) && value >= 0 ? value + 0 : null;
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(value) && value >= 0 ? value + 0 : null;
}

/** Type of each kind of field, for error messages. */
const TYPE_IN_WORDS: Record<JsonField['kind'], string> = {
  image: 'a string',
  video: 'a string',
  images: 'an array of strings',
  choice: 'a string',
  engine: 'a string',
  text: 'a string',
  'saved-face': 'a string',
  index: 'a whole number, 0 or more',
  number: 'a number, 0 or more',
  switch: 'true or false',
  webhook: 'a string',
  object: 'an object',
  objects: 'an array of objects',
};

export function wrongType({ name, kind }: JsonField): AppError {
  return invalidField(name, `must be ${TYPE_IN_WORDS[kind]}.`);
}
