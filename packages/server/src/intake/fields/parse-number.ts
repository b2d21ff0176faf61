import type { NumberField } from '@guise/contract/ai-tasks/form.ts';
import { invalidField } from '@guise/contract/errors.ts';

/**
 * A number in decimal notation. Number() would also accept spaces, hexadecimal, Infinity and an
 * empty text.
 */
const DECIMAL_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

/**
 * Parses a number of a form. @returns undefined if the field was not sent and has no default.
 * @param text undefined if the field was not sent.
 * @throws AppError INVALID_REQUEST naming the field and its range.
 */
export function parseNumber(field: NumberField, text: string | undefined): number | undefined {
  if (text === undefined) return field.default;
  const value = DECIMAL_NUMBER.test(text) ? Number(text) : Number.NaN;
  const { name, min, max } = field;
  if (!(value >= min && value <= (max ?? Number.MAX_VALUE))) {
    const range = max === undefined ? `from ${min}` : `from ${min} to ${max}`;
    throw invalidField(name, `must be a number ${range}.`);
  }
  // Adding 0 turns -0 into 0.
  return value + 0;
}
