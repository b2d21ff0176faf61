import { stat } from 'node:fs/promises';
import { ensureModels } from '@guise/engine/models/ensure-models.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import type { TryProviders } from '@guise/server/networks/held-networks.ts';
import { type InstalledNetwork, kindOf } from '@guise/server/networks/network-store.ts';
import { networkStore, providersHere } from '../../setup/chosen-networks.ts';
import { withEngine } from '../../setup/with-engine.ts';
import { withWorkspace } from '../../setup/workspace.ts';
import { printResult } from '../../console/print.ts';

/** Tries execution providers in an engine process that ends afterwards. */
const tryThem: TryProviders = (wanted) =>
  withWorkspace(null, (workspace) =>
    withEngine(workspace, (engine) => engine.run({ kind: 'try-providers', providers: wanted })),
  );

/** Lists the built-in models, and the networks that the operator has added. */
export async function listModels(options: { readonly json?: true }): Promise<void> {
  const startedAtMs = performance.now();
  const files = await ensureModels(dataDirLayout(loadConfig().dataDir).models);
  const elapsedMs = Math.round(performance.now() - startedAtMs);
  const models = await Promise.all(
    Object.entries(files).map(async ([name, path]) => ({ name, path, bytes: (await stat(path)).size })),
  );
  const networks = await networkStore().list();
  const providers = networks.length > 0 ? await providersHere(tryThem) : [];
  printResult(
    options,
    { models, providers, networks: networks.map((each) => ({ kind: kindOf(each), ...each })), elapsedMs },
    [
      ...models.map(({ name, path, bytes }) => `${name}: ${Math.ceil(bytes / 1024)} KiB, ${path}`),
      `All ${models.length} models are there and match their checksums (${elapsedMs} ms).`,
      ...networks.map(describeNetwork),
      ...(networks.length > 0 ? [`Networks compute on ${providers.join(', then on ')}.`] : []),
    ],
  );
}

/** Describes a network in one line. */
export function describeNetwork(network: InstalledNetwork): string {
  const { id, protocol, bytes, recogniser, converter, rightConfirmedBy, addedAt } = network;
  const needed = [recogniser, converter].filter((each) => each !== undefined);
  return (
    `${id}: ${kindOf(network)} (${protocol}), ${Math.ceil(bytes / 1e6)} MB` +
    `${needed.length > 0 ? `, with ${needed.join(' and ')}` : ''}, ` +
    `added ${addedAt.slice(0, 10)} by ${rightConfirmedBy}`
  );
}
