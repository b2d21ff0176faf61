import type { Provider } from '@guise/contract/engines.ts';
import { NetworkMasker } from './network-masker.ts';
import { NetworkRestorer } from './network-restorer.ts';
import { type NetworkFile, NetworkSwapper, type SwapperFiles } from './network-swapper.ts';
import type { NamesOf } from './protocols.ts';

export { inspectNetwork } from './inspect-network.ts';
export { tryProviders } from './try-providers.ts';

/** The operator's networks for a swap. Without a swapper, the mesh draws the face. */
export interface SwapNetworks {
  readonly swapper?: SwapperFiles | undefined;
  readonly restorer?: NetworkFile<NamesOf<'restorer'>> | undefined;
  /** Networks that say what hides a face, beside guise's own. Default: none. */
  readonly maskers?: readonly NetworkFile<NamesOf<'masker'>>[] | undefined;
  /** What they compute on. Default: `cpu`. */
  readonly providers?: readonly Provider[] | undefined;
}

/** Open networks for a swap. */
export interface OpenSwapNetworks {
  readonly network?: NetworkSwapper | undefined;
  readonly restorer?: NetworkRestorer | undefined;
  readonly maskers: readonly NetworkMasker[];
}

/** The operator's networks that a process has open. */
export class OpenNetworks {
  readonly #swapper = new LastOpened((files: SwapperFiles, on) => NetworkSwapper.open(files, on));
  readonly #restorer = new LastOpened((file: NetworkFile<NamesOf<'restorer'>>, on) =>
    NetworkRestorer.open(file, on),
  );

  readonly #maskers = new LastOpened(openMaskers);

  /** Returns the networks of a swap, open. Rejects if one cannot be opened. */
  async open(wanted: SwapNetworks): Promise<OpenSwapNetworks> {
    const { swapper, restorer, maskers, providers = ['cpu'] } = wanted;
    return {
      network: swapper && (await this.#swapper.open(swapper, providers)),
      restorer: restorer && (await this.#restorer.open(restorer, providers)),
      maskers: maskers ? (await this.#maskers.open(maskers, providers)).all : [],
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#swapper.close(), this.#restorer.close(), this.#maskers.close()]);
  }
}

async function openMaskers(files: NonNullable<SwapNetworks['maskers']>, on: readonly Provider[]) {
  const all: NetworkMasker[] = [];
  for (const file of files) all.push(await NetworkMasker.open(file, on));
  return { all, close: () => Promise.all(all.map((masker) => masker.close())) };
}

/** Keeps one network of a kind open: the last, because some fill gigabytes. */
class LastOpened<File, Network extends { close(): Promise<unknown> }> {
  readonly #open: (file: File, providers: readonly Provider[]) => Promise<Network>;
  #last: { readonly key: string; readonly network: Promise<Network> } | null = null;

  constructor(open: (file: File, providers: readonly Provider[]) => Promise<Network>) {
    this.#open = open;
  }

  async open(file: File, providers: readonly Provider[]): Promise<Network> {
    // Files are named after their contents.
    const key = JSON.stringify([file, providers]);
    if (this.#last?.key !== key) {
      await this.close();
      this.#last = { key, network: this.#open(file, providers) };
    }
    const { network } = this.#last!;
    // If it cannot be opened, the next call tries again.
    network.catch(() => (this.#last = null));
    return network;
  }

  async close(): Promise<void> {
    const last = this.#last;
    this.#last = null;
    await last?.network.then(
      (network) => network.close(),
      () => {},
    );
  }
}
