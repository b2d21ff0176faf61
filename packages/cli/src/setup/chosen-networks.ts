import { DEFAULT_ENGINE, type Provider } from '@guise/contract/engines.ts';
import type { SwapNetworks } from '@guise/engine/networks/open-networks.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { EngineInfo } from '@guise/engine-host/protocol/engine-job.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { NetworkStore } from '@guise/server/networks/network-store.ts';

/** Provider that works everywhere. */
const CPU = 'cpu';

/** Options that name networks of the operator. */
export interface NetworkOptions {
  /** Network that draws the faces. Default: `mesh`. */
  readonly engine?: string;
  /** Network that makes the faces sharper. */
  readonly restorer?: string;
}

/** Returns the networks of the operator in this data folder. */
export function networkStore(): NetworkStore {
  return new NetworkStore(dataDirLayout(loadConfig().dataDir).networks);
}

/**
 * Returns the networks that the options name; undefined if they name none.
 * @throws Error with a sentence if one cannot be used
 */
export async function chosenNetworks({
  engine = DEFAULT_ENGINE,
  restorer,
}: NetworkOptions): Promise<SwapNetworks | undefined> {
  if (engine === DEFAULT_ENGINE && restorer === undefined) return undefined;
  const store = networkStore();
  return {
    swapper: engine === DEFAULT_ENGINE ? undefined : await store.swapper(engine),
    restorer: restorer === undefined ? undefined : await store.restorer(restorer),
  };
}

/**
 * Adds what the networks compute on: those providers of GUISE_EXECUTION_PROVIDERS that work here.
 * Says which do not.
 */
export async function onProviders(
  engine: EngineProcess,
  networks: SwapNetworks | undefined,
): Promise<SwapNetworks | undefined> {
  const { executionProviders: wanted } = loadConfig();
  if (networks === undefined || wanted.join() === CPU) return networks;
  const tried = await engine.run({ kind: 'try-providers', providers: wanted });
  const working = tried.filter(({ problem }) => problem === undefined).map(({ provider }) => provider);
  const providers: readonly Provider[] = working.length > 0 ? working : [CPU];
  for (const { provider, problem } of tried)
    if (problem !== undefined)
      process.stderr.write(
        `guise: ${provider} does not work here, so the network runs on ${providers[0]}: ${problem}\n`,
      );
  return { ...networks, providers };
}

/**
 * Returns the networks that the options name for a clip.
 * @throws Error with a sentence if one cannot be used, or not for a clip
 */
export async function networksForClip(options: NetworkOptions): Promise<SwapNetworks | undefined> {
  if (options.restorer !== undefined) throw new Error('--restorer is for photos, not for videos and GIFs.');
  return chosenNetworks(options);
}

/** Names what drew the face, for the receipt. */
export async function engineOf(
  engine: EngineProcess,
  networks: SwapNetworks | undefined,
): Promise<EngineInfo> {
  const info = await engine.whenReady();
  const swapper = networks?.swapper;
  if (swapper === undefined) return info;
  return { name: swapper.id, version: `${info.version}.${swapper.sha256.slice(0, 12)}` };
}
