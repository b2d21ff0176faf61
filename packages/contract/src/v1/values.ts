import type { ClipFormat } from '../formats.ts';

/** Longest side of a result, in pixels, by `quality` (docs/spec/details#quality). */
export const QUALITIES = { standard: 1280, high: 1920, '4k': 3840 } as const;
export type Quality = keyof typeof QUALITIES;

/** Quality of a request that does not name one (docs/spec/v1#endpoints). */
export const DEFAULT_QUALITY: Quality = 'high';

/** Names of formats of images and of a batch's items; the first is the default. */
export const STILL_FORMATS = ['png', 'jpg', 'webp'] as const;
export type V1StillFormat = (typeof STILL_FORMATS)[number];

/** Formats of videos that guise accepts, by their containers. */
export const TARGET_VIDEO_FORMATS: readonly ClipFormat[] = ['mp4', 'mov', 'webm', 'mkv', 'avi', 'ts'];

/** Formats of videos that guise writes; the first is the default. */
export const VIDEO_FORMATS = ['mp4', 'webm', 'mov'] as const;
export type V1VideoFormat = (typeof VIDEO_FORMATS)[number];
