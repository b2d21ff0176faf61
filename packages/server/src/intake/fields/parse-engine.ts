import { ENGINE_ID } from '@guise/contract/engines.ts';
import { invalidField } from '@guise/contract/errors.ts';

/**
 * Parses the name of an engine.
 * @throws AppError INVALID_REQUEST naming the field if no engine can have this name
 */
export function parseEngine(name: string, text: string): string {
  if (!ENGINE_ID.test(text)) throw invalidField(name, 'must be an id that GET /api/ai-tasks/engines lists.');
  return text;
}
