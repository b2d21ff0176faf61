/** The words of `/v1` (spec: Endpoints, States and transitions; decisions: `quality`). */

export const JOB_TYPES = ['video_swap', 'batch_swap'] as const;
export type JobType = (typeof JOB_TYPES)[number];

export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** By name, the long side in pixels that a result has at most. */
export const QUALITIES = { standard: 1280, high: 1920, '4k': 3840 } as const;
export type Quality = keyof typeof QUALITIES;
export const DEFAULT_QUALITY: Quality = 'high';

export const STILL_FORMATS = ['png', 'jpg', 'webp'] as const;
export type V1StillFormat = (typeof STILL_FORMATS)[number];

export const VIDEO_FORMATS = ['mp4', 'webm', 'mov'] as const;
export type V1VideoFormat = (typeof VIDEO_FORMATS)[number];
