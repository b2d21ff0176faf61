/**
 * The version of `/api/ai-tasks`, in every response and in OpenAPI (docs/spec/ai-tasks#versioning).
 */
export const API_VERSION = '2026-08-14';
