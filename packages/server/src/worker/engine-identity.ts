import { videoLibrary } from '@guise/media/video/node-av.ts';
import type { EngineInfo } from '@guise/engine-host/protocol/engine-job.ts';
import { keysOf } from '../networks/network-key.ts';
import type { HeldNetwork } from '../networks/held-networks.ts';
import type { NeededNetworks } from '../networks/network-key.ts';

/** Name and version of the library that decodes and encodes videos. */
const VIDEO_LIBRARY = videoLibrary();

/**
 * Returns the name by which parts require an engine. Workers with the same name produce the same
 * pixels and packets from the same order, so that all outputs of a task match.
 */
export async function engineIdentity({ name, version }: EngineInfo): Promise<string> {
  return `${name} ${version}, ${await VIDEO_LIBRARY}`;
}

/** Returns the name by which parts of a task require an engine with the networks of the task. */
export function identityWith(identity: string, networks: NeededNetworks | undefined): string {
  return [identity, ...(keysOf(networks) ?? [])].join(', ');
}

/** Lists the names of an engine, with each choice of the networks that its worker holds. */
export function identitiesWith(identity: string, held: readonly HeldNetwork[]): string[] {
  const keysFor = (kind: HeldNetwork['kind']): (string | undefined)[] => [
    undefined,
    ...held.filter((each) => each.kind === kind).map(({ key }) => key),
  ];
  return keysFor('swapper').flatMap((swapper) =>
    keysFor('restorer').map((restorer) => identityWith(identity, { swapper, restorer })),
  );
}
