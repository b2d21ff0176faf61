/**
 * Version of `/api/ai-tasks`. It is in every answer and in OpenAPI (docs/spec/ai-tasks#versioning).
 */
export const API_VERSION = '2026-08-14';
