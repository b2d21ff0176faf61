import type { Client, Fields, File } from './client.ts';
import { client, face, newClient, target } from './photo-setup.ts';

/** What the tests of the batch workflow share. */

export const BATCH = '/api/ai-tasks/batch-face-swap';
export const batchClient = client.at(BATCH);

export async function newBatchClient(options: Parameters<typeof newClient>[0]): Promise<Client> {
  return (await newClient(options)).at(BATCH);
}

type Picture = Uint8Array | File;

export function batch(
  mode: string,
  sources: readonly Picture[],
  targets: readonly Picture[],
  extra: Fields = [],
): Fields {
  return [['mode', mode], ...files('sourceImages', sources), ...files('targetImages', targets), ...extra];
}

function files(name: string, pictures: readonly Picture[]): Fields {
  return pictures.map(
    (picture) => [name, picture instanceof Uint8Array ? { bytes: picture } : picture] as const,
  );
}

/** One face into two photos. */
export const two = batch('singleToMulti', [face], [target, face]);
