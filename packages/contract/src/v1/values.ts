import type { ClipFormat } from '../formats.ts';

/** Longest side of a result, in pixels, by `quality` (docs/spec/v1#quality). */
export const QUALITIES = { standard: 1280, high: 1920, '4k': 3840 } as const;
export type Quality = keyof typeof QUALITIES;

/** Default quality of a request (docs/spec/v1#endpoints). */
export const DEFAULT_QUALITY: Quality = 'high';

/** Formats of images and of a batch's results; the first is the default. */
export const STILL_FORMATS = ['png', 'jpg', 'webp'] as const;
export type V1StillFormat = (typeof STILL_FORMATS)[number];

/** Video formats that guise accepts, by container. */
export const TARGET_VIDEO_FORMATS: readonly ClipFormat[] = ['mp4', 'mov', 'webm', 'mkv', 'avi', 'ts'];

/** Video formats that guise writes; the first is the default. */
export const VIDEO_FORMATS = ['mp4', 'webm', 'mov'] as const;
export type V1VideoFormat = (typeof VIDEO_FORMATS)[number];
