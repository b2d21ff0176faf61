import { accountErrorSchema } from '@guise/contract/account/own.ts';

/** Schemas of error answers, for all routes of `/account`. */
export const ERRORS = { '4xx': accountErrorSchema, '5xx': accountErrorSchema };
