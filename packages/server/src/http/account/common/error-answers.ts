import { accountErrorSchema } from '@guise/contract/account/own.ts';

/** Refusals and failures, of every route here. */
export const ERRORS = { '4xx': accountErrorSchema, '5xx': accountErrorSchema };
