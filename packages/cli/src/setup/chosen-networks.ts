import { MESH_ENGINE, type Provider } from '@guise/contract/engines.ts';
import type { SwapNetworks } from '@guise/engine/networks/open-networks.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { EngineInfo } from '@guise/engine-host/protocol/engine-job.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { drawnBy } from '@guise/server/networks/drawn-by.ts';
import { type TryProviders, workingProviders } from '@guise/server/networks/held-networks.ts';
import { keyOf, NetworkStore } from '@guise/server/networks/network-store.ts';

/** Options that name networks of the operator. */
export interface NetworkOptions {
  /** Network that draws the faces. Default: `mesh`. */
  readonly engine?: string;
  /** Network that makes the faces sharper. */
  readonly restorer?: string;
  /** Networks that say what hides a face. */
  readonly masker?: readonly string[];
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
  engine = MESH_ENGINE.id,
  restorer,
  masker = [],
}: NetworkOptions): Promise<SwapNetworks | undefined> {
  if (engine === MESH_ENGINE.id && restorer === undefined && masker.length === 0) return undefined;
  const store = networkStore();
  return {
    swapper: engine === MESH_ENGINE.id ? undefined : await store.swapper(engine),
    restorer: restorer === undefined ? undefined : await store.restorer(restorer),
    maskers: await Promise.all(masker.map((id) => store.masker(id))),
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
  if (networks === undefined) return networks;
  const providers = await providersHere((wanted) => engine.run({ kind: 'try-providers', providers: wanted }));
  return { ...networks, providers };
}

/** Returns what networks compute on here; see `onProviders`. */
export function providersHere(tryThem: TryProviders): Promise<readonly Provider[]> {
  return workingProviders(loadConfig().executionProviders, tryThem, (provider, problem, instead) =>
    process.stderr.write(
      `guise: ${provider} does not work here, so the network runs on ${instead}: ${problem}\n`,
    ),
  );
}

/** Names what drew the face, for the receipt. */
export async function engineOf(
  engine: EngineProcess,
  networks: SwapNetworks | undefined,
): Promise<EngineInfo> {
  const id = networks?.swapper?.id;
  const installed = id === undefined ? [] : await networkStore().list();
  const swapper = installed.find((network) => network.id === id);
  return drawnBy(await engine.whenReady(), swapper && keyOf(swapper, installed));
}
