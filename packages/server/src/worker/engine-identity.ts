import { videoLibrary } from '@guise/media/video/node-av.ts';
import type { WorkingHardware } from './work/working-hardware.ts';
import type { EngineInfo } from '@guise/engine-host/protocol/engine-job.ts';

/** Name and version of the library that decodes and encodes videos. */
const VIDEO_LIBRARY = videoLibrary();

/**
 * Returns the name by which parts require an engine. Workers with the same name produce the same
 * pixels and packets from the same order, so that all outputs of a task match.
 */
export async function engineIdentity(
  { name, version }: EngineInfo,
  encoding: WorkingHardware | null,
): Promise<string> {
  const encoder = encoding === null ? '' : `, ${encoding.hardware} ${encoding.header}`;
  return `${name} ${version}, ${await VIDEO_LIBRARY}${encoder}`;
}

/**
 * Returns the name by which parts of a task with networks require an engine. Workers of versions
 * that know of no networks do not take such parts. Which networks a part needs, its task says.
 */
export function withNetworks(identity: string): string {
  return `${identity}, with networks`;
}
