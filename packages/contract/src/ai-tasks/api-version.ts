/** The one version of `/api/ai-tasks` (spec: Versioning); in every response, and `info.version` of its description. */
export const API_VERSION = '2026-08-14';
