import { invalidField } from '@guise/contract/errors.ts';

/**
 * Parses a text of one to `maxLength` characters. Spaces at its ends do not count.
 * @throws AppError INVALID_REQUEST naming the field and the limit
 */
export function parseText({ name, maxLength }: { name: string; maxLength: number }, text: string): string {
  const trimmed = text.trim();
  const limit = { limit: maxLength };
  if ([...trimmed].length > maxLength)
    throw invalidField(name, `is longer than ${maxLength} characters.`, limit);
  if (trimmed === '') throw invalidField(name, `must have 1 to ${maxLength} characters.`, limit);
  // A line break is part of a text; no other control character is.
  if (/[^\P{Cc}\n\r\t]/u.test(trimmed)) throw invalidField(name, 'must not have control characters.');
  return trimmed;
}
