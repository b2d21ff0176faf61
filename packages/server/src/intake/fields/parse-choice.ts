import type { ChoiceField, SwitchField } from '@guise/contract/ai-tasks/form.ts';
import { invalidField } from '@guise/contract/errors.ts';

/**
 * Parses a form field with a fixed set of values.
 * @param text undefined if the field was not sent.
 * @throws AppError INVALID_REQUEST naming the field and its values.
 */
export function parseChoice(field: ChoiceField, text: string | undefined): string {
  const value = text ?? field.default;
  if (value === undefined) throw invalidField(field.name, 'is missing.');
  if (!field.values.includes(value)) {
    throw invalidField(field.name, `must be ${field.values.join(' or ')}.`);
  }
  return value;
}

/** Parses a form field that is on or off. @throws AppError INVALID_REQUEST naming the field. */
export function parseSwitch({ name }: SwitchField, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw invalidField(name, 'must be true or false.');
  return text === 'true';
}
