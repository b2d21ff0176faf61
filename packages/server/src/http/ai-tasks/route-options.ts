import { errorBodySchema } from '@guise/contract/ai-tasks/schemas.ts';
import type { HttpDeps } from '../common/deps.ts';
import { admitPost, admitRead } from '../plugins/admission.ts';

/**
 * Schemas for error answers only. Other bodies contain unions, whose serialisers take 20 to 45 ms
 * to compile at the first answer and block all other requests; those bodies are sent without a
 * schema.
 */
export const REFUSALS = { response: { '4xx': errorBodySchema, '5xx': errorBodySchema } };

/** Returns the options of routes that only read or cancel. */
export function reading({ readDatabase }: Pick<HttpDeps, 'readDatabase'>) {
  return { onRequest: admitRead(readDatabase), schema: REFUSALS };
}

/** Returns the options of routes that accept a form. */
export function writing({ database }: Pick<HttpDeps, 'database'>) {
  return { onRequest: admitPost(database), schema: REFUSALS };
}
