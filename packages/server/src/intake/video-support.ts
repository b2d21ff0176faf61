import { NO_VIDEO_BACKEND, videoBackend } from '@guise/media/video/backend.ts';

let missing: string | null | undefined;

/**
 * Returns why this machine cannot read videos, for its operator; null if it can. GIFs can always be
 * read. The answer is looked up once.
 */
export function missingVideoBackend(): string | null {
  missing ??= videoBackend() === null ? NO_VIDEO_BACKEND : null;
  return missing;
}
