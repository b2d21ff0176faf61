import type { GuaranteeField } from '@guise/contract/ai-tasks/form.ts';
import { invalidField } from '@guise/contract/errors.ts';

/**
 * Parses a form field that states a guarantee and can only be true.
 * @param text undefined if the field was not sent.
 * @throws AppError INVALID_REQUEST naming the field.
 */
export function parseGuarantee(field: GuaranteeField, text: string | undefined): true {
  if (text === undefined || text === 'true') return true;
  throw invalidField(field.name, 'must be true or left out.');
}
