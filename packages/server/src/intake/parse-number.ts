import type { NumberField } from '@guise/contract/ai-tasks/form.ts';
import { fieldError } from '@guise/contract/errors.ts';

/**
 * Form of a number in decimal notation: no spaces, hexadecimal, Infinity or empty text, all of
 * which Number() takes.
 */
const DECIMAL_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

/**
 * Parses a number of a form.
 * @param text undefined if the field was not sent.
 * @throws AppError INVALID_REQUEST naming the field and its range.
 */
export function parseNumber(field: NumberField, text: string | undefined): number {
  if (text === undefined) return field.default;
  const value = DECIMAL_NUMBER.test(text) ? Number(text) : Number.NaN;
  if (!(value >= field.min && value <= field.max)) {
    throw fieldError('INVALID_REQUEST', field.name, `must be a number from ${field.min} to ${field.max}.`);
  }
  // -0 is 0 to everybody but JSON and Object.is.
  return value + 0;
}
