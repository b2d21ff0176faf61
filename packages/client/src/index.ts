export type * from './api-types.ts';
export type { TaskEvent } from './events.ts';
export { Guise } from './guise.ts';
export { GuiseError, TaskEndedError } from './guise-error.ts';
export type { HttpOptions, RequestOptions } from './http.ts';
export { type CompletedTask, type WaitOptions, Workflow } from './workflow.ts';
export { verifyWebhook } from './webhook.ts';
