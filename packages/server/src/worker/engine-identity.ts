import { videoLibrary } from '@guise/media/video/node-av.ts';
import type { EngineInfo } from '@guise/engine-host/protocol/engine-job.ts';

/** Name of what decodes and encodes videos here. */
const VIDEO_LIBRARY = videoLibrary();

/**
 * Returns the name by which parts ask for an engine: workers of one name make the same pixels, and
 * the same packets, of the same order, so that the outputs of one task are of one kind.
 */
export async function engineIdentity({ name, version }: EngineInfo): Promise<string> {
  return `${name} ${version}, ${await VIDEO_LIBRARY}`;
}
