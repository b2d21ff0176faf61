import { V1_LIMITS } from '@guise/contract/limits.ts';
import type { FetchLimits } from './fetch-to-file.ts';

const IDLE_MS = 15_000;

/** Of media that a client gives by URL (decisions: Media strings, Body sizes). */
export const IMAGE_FETCH: FetchLimits = { maxBytes: V1_LIMITS.imageBytes, idleMs: IDLE_MS, totalMs: 60_000 };
export const VIDEO_FETCH: FetchLimits = { maxBytes: V1_LIMITS.videoBytes, idleMs: IDLE_MS, totalMs: 300_000 };
