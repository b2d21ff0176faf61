import type { NumberField } from '@guise/contract/ai-tasks/form.ts';
import { invalidField } from '@guise/contract/errors.ts';

/**
 * Form of a number in decimal notation: no spaces, hexadecimal, Infinity or empty text, all of
 * which Number() takes.
 */
const DECIMAL_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

/**
 * Parses a number of a form; undefined if it was not sent and has no default.
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
  // -0 is 0 to everybody but JSON and Object.is.
  return value + 0;
}
