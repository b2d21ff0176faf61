import { V1_LIMITS } from '@guise/contract/limits.ts';
import type { FetchLimits } from './fetch-to-file.ts';

/** Longest time without data from a server. */
const IDLE_MS = 15_000;

/** Limits for an image that a client gives by URL (docs/spec/details#media-strings). */
export const IMAGE_FETCH: FetchLimits = { maxBytes: V1_LIMITS.imageBytes, idleMs: IDLE_MS, totalMs: 60_000 };

/** Limits for a video that a client gives by URL. */
export const VIDEO_FETCH: FetchLimits = { maxBytes: V1_LIMITS.videoBytes, idleMs: IDLE_MS, totalMs: 300_000 };
