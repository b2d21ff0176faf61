import type { ClipFormat } from '../formats.ts';

/** Long side of a result at most, in pixels, by `quality` (docs/decisions/0009#quality). */
export const QUALITIES = { standard: 1280, high: 1920, '4k': 3840 } as const;
export type Quality = keyof typeof QUALITIES;

/** The quality of a request that names none (docs/spec/v1#endpoints). */
export const DEFAULT_QUALITY: Quality = 'high';

/** Names of formats of images and of a batch's items; the first is the default. */
export const STILL_FORMATS = ['png', 'jpg', 'webp'] as const;
export type V1StillFormat = (typeof STILL_FORMATS)[number];

/** Formats of videos that are taken, by their containers. */
export const TARGET_VIDEO_FORMATS: readonly ClipFormat[] = ['mp4', 'mov', 'webm', 'mkv', 'avi', 'ts'];

/** Formats of videos that are made; the first is the default. */
export const VIDEO_FORMATS = ['mp4', 'webm', 'mov'] as const;
export type V1VideoFormat = (typeof VIDEO_FORMATS)[number];
