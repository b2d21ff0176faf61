import { NO_VIDEO_BACKEND, videoBackend } from '@guise/media/video/backend.ts';

let missing: string | null | undefined;

/**
 * Why this machine cannot read videos (GIFs it always can), for whoever runs it; null where it can.
 * Looked up once.
 */
export function missingVideoBackend(): string | null {
  missing ??= videoBackend() === null ? NO_VIDEO_BACKEND : null;
  return missing;
}
