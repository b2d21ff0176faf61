import type { Provider } from '@guise/contract/engines.ts';
import { TaskFailure } from '@guise/contract/errors.ts';
import { unlessDied } from '@guise/engine-host/parent/unless-died.ts';
import type { SwapNetworks } from '@guise/engine/networks/open-networks.ts';
import type { NetworkFile, SwapperFiles } from '@guise/engine/networks/network-swapper.ts';
import type { TriedProvider } from '@guise/engine/networks/try-providers.ts';
import { type NamesOf, type Protocol, PROTOCOLS } from '@guise/engine/networks/protocols.ts';
import { type NeededNetworks, partsOfKey } from './network-key.ts';
import { type InstalledNetwork, keyOf, kindOf, type NetworkStore } from './network-store.ts';

/** Kinds of networks that tasks name. The others belong to a swapper. */
type UsedKind = 'swapper' | 'restorer' | 'masker';

/** A network that a worker can use, as it tells the service. */
export interface HeldNetwork {
  /**
   * Name of the network with a digest of its files, such as `inswapper@0123456789ab`. Workers with
   * the same key hold the same files.
   */
  readonly key: string;
  readonly id: string;
  readonly kind: UsedKind;
  /** Largest side of the face that it sees or draws, pixels. */
  readonly resolution: number;
  /** What it computes on here. */
  readonly providers: readonly Provider[];
}

export interface HeldNetworksOptions {
  readonly store: NetworkStore;
  /** Finds out which providers work; called once, and only if there is a network. */
  readonly findProviders: () => Promise<readonly Provider[]>;
  /** Called once for each network that was added. */
  readonly onFound: (network: InstalledNetwork) => void;
  /** Called for each network that cannot be used, and once a minute while it cannot. */
  readonly onUnusable: (error: unknown, id: string) => void;
  /** Called if the store cannot be read. */
  readonly onUnreadable: (error: unknown) => void;
}

/** Time after which a network that could not be used is tried again. */
const RETRY_MS = 60_000;

/** A network that was compared with its checksum, and its files. */
interface Checked {
  readonly held: HeldNetwork;
  readonly file: SwapperFiles | NetworkFile<NamesOf<UsedKind>>;
}

/** Networks that a worker can use. */
export class HeldNetworks {
  readonly #options: HeldNetworksOptions;
  /** Networks that were looked at, by what the store says of them; null if one cannot be used. */
  #looked: ReadonlyMap<string, Checked | null> = new Map();
  #retryAtMs = 0;
  #providers: Promise<readonly Provider[]> | null = null;

  constructor(options: HeldNetworksOptions) {
    this.#options = options;
  }

  /**
   * Looks now and at intervals for networks that were added or removed.
   * @param onChanged called when the list is another one @returns a function that ends this
   */
  follow(intervalMs: number, onChanged: () => void): () => void {
    let isLooking = false;
    let isEnded = false;
    const look = async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      const before = this.keys.join();
      await this.refresh().catch(this.#options.onUnreadable);
      if (!isEnded && this.keys.join() !== before) onChanged();
      isLooking = false;
    };
    const timer = setInterval(() => void look(), intervalMs);
    timer.unref();
    void look();
    return () => {
      isEnded = true;
      clearInterval(timer);
    };
  }

  /**
   * Looks for networks that were added or removed, and compares new ones with their checksums. One
   * call must end before the next. @throws Error if the store cannot be read
   */
  async refresh(): Promise<void> {
    const { store } = this.#options;
    const installed = await store.list();
    const looked = new Map<string, Checked | null>();
    const triesAgain = performance.now() >= this.#retryAtMs;
    if (triesAgain) this.#retryAtMs = performance.now() + RETRY_MS;
    for (const network of installed) {
      // A network is new if it, or one that it needs, has other files than before.
      const key = keyOf(network, installed);
      const known = this.#looked.get(key);
      if (known || (known === null && !triesAgain)) {
        looked.set(key, known);
        continue;
      }
      if (known === undefined) this.#options.onFound(network);
      const checked = await this.#check(network, key);
      // While its files were read, it may have been replaced. The next look finds that.
      const now = await store.list();
      if (now.some((each) => keyOf(each, now) === key)) looked.set(key, checked);
    }
    this.#looked = looked;
  }

  /** The networks that tasks may name, in the order of their names. */
  get list(): readonly HeldNetwork[] {
    return this.#checked.map(({ held }) => held);
  }

  /** The keys of the networks. */
  get keys(): readonly string[] {
    return this.list.map(({ key }) => key);
  }

  /**
   * Returns the files of the networks that a task needs; undefined if it needs none.
   * @throws TaskFailure ENGINE_UNAVAILABLE if one of them is no longer held
   */
  async filesOf(needed: NeededNetworks | undefined): Promise<SwapNetworks | undefined> {
    if (needed === undefined) return undefined;
    return {
      swapper: this.#find(needed.swapper) as SwapNetworks['swapper'],
      restorer: this.#find(needed.restorer) as SwapNetworks['restorer'],
      maskers: needed.maskers?.map((key) => this.#find(key)) as SwapNetworks['maskers'],
      providers: await this.#findProviders(),
    };
  }

  get #checked(): readonly Checked[] {
    return [...this.#looked.values()].filter((each) => each !== null);
  }

  #find(key: string | undefined): Checked['file'] | undefined {
    if (key === undefined) return undefined;
    const found = this.#checked.find(({ held }) => held.key === key);
    if (found) return found.file;
    throw new TaskFailure('ENGINE_UNAVAILABLE', `The engine ${partsOfKey(key).id} was removed.`);
  }

  async #check(network: InstalledNetwork, key: string): Promise<Checked | null> {
    const { id, protocol, boost = 1 } = network;
    const kind = kindOf(network);
    if (!isUsed(kind)) return null;
    try {
      const file = await this.#options.store[kind](id);
      const { side } = PROTOCOLS[protocol] as { readonly side: number };
      const providers = await this.#findProviders();
      return { file, held: { key, id, kind, resolution: side * boost, providers } };
    } catch (error) {
      this.#options.onUnusable(error, id);
      return null;
    }
  }

  #findProviders(): Promise<readonly Provider[]> {
    return (this.#providers ??= this.#options.findProviders());
  }
}

function isUsed(kind: Protocol['kind']): kind is UsedKind {
  return kind === 'swapper' || kind === 'restorer' || kind === 'masker';
}

/** Tries providers in a process of the engine. */
export type TryProviders = (wanted: readonly Provider[]) => Promise<readonly TriedProvider[]>;

/**
 * Finds out which of the wanted providers work. If none does, networks compute on the CPU.
 * @param tryThem not called where only the CPU is wanted
 * @param onRefused called for each that does not work
 */
export async function workingProviders(
  wanted: readonly Provider[],
  tryThem: TryProviders,
  onRefused: (provider: Provider, problem: string, instead: Provider) => void,
): Promise<readonly Provider[]> {
  if (wanted.join() === CPU) return wanted;
  const problem = 'the process that tried it died.';
  const tried =
    (await unlessDied(() => tryThem(wanted))) ??
    wanted.map((provider) => (provider === CPU ? { provider } : { provider, problem }));
  // The engine's process is not trusted with the names.
  const problemOf = (provider: Provider): string | undefined =>
    tried.find((each) => each.provider === provider)?.problem;
  const working = wanted.filter((provider) => problemOf(provider) === undefined);
  const providers: readonly Provider[] = working.length > 0 ? working : [CPU];
  for (const provider of wanted) {
    const problem = problemOf(provider);
    if (problem !== undefined) onRefused(provider, String(problem), providers[0]!);
  }
  return providers;
}

/** Provider that works everywhere. */
const CPU = 'cpu';
