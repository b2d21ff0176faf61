import { createHash } from 'node:crypto';
import type { Provider } from '@guise/contract/engines.ts';
import { TaskFailure } from '@guise/contract/errors.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { SwapNetworks } from '@guise/engine/networks/open-networks.ts';
import type { NetworkFile, SwapperFiles } from '@guise/engine/networks/network-swapper.ts';
import { type NamesOf, type Protocol, PROTOCOLS } from '@guise/engine/networks/protocols.ts';
import type { NeededNetworks } from './network-key.ts';
import { networkKey, partsOfKey } from './network-key.ts';
import { type InstalledNetwork, kindOf, type NetworkStore } from './network-store.ts';

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
  /** Called once for each network that is held from now on. */
  readonly onHeld: (network: InstalledNetwork) => void;
  /** Called once for each network that cannot be used. */
  readonly onUnusable: (error: unknown, id: string) => void;
}

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
  #providers: Promise<readonly Provider[]> | null = null;

  constructor(options: HeldNetworksOptions) {
    this.#options = options;
  }

  /**
   * Looks for networks that were added or removed, and compares new ones with their checksums. One
   * call must end before the next. @throws Error if the store cannot be read
   */
  async refresh(): Promise<void> {
    const { store } = this.#options;
    const installed = await store.list();
    const looked = new Map<string, Checked | null>();
    for (const network of installed) {
      // A network is new if it, or one that it needs, has other files than before.
      const needed = installed.filter(({ id }) => id === network.recogniser || id === network.converter);
      const description = JSON.stringify([network, ...needed]);
      const known = this.#looked.get(description);
      looked.set(description, known === undefined ? await this.#check(network, description) : known);
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

  async #check(network: InstalledNetwork, description: string): Promise<Checked | null> {
    const { id, protocol, boost = 1 } = network;
    const kind = kindOf(network);
    if (!isUsed(kind)) return null;
    try {
      const file = await this.#options.store[kind](id);
      const { side } = PROTOCOLS[protocol] as { readonly side: number };
      const providers = await this.#findProviders();
      this.#options.onHeld(network);
      return { file, held: { key: keyOf(id, description), id, kind, resolution: side * boost, providers } };
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

/** Names of the members that do not change what a network draws. */
const WITHOUT_EFFECT = new Set(['addedAt', 'rightConfirmedBy']);

function keyOf(id: string, description: string): string {
  const drawn = JSON.parse(description, (name, value) => (WITHOUT_EFFECT.has(name) ? undefined : value));
  return networkKey(id, createHash('sha256').update(JSON.stringify(drawn)).digest('hex'));
}

/**
 * Finds out which of the wanted providers work, in a process of the engine. If none does, networks
 * compute on the CPU.
 * @param onRefused called for each that does not work
 */
export async function workingProviders(
  engine: EngineProcess,
  wanted: readonly Provider[],
  onRefused: (provider: Provider, problem: string, instead: Provider) => void,
): Promise<readonly Provider[]> {
  if (wanted.join() === CPU) return wanted;
  const tried = await engine.run({ kind: 'try-providers', providers: wanted });
  const working = tried.filter(({ problem }) => problem === undefined).map(({ provider }) => provider);
  const providers: readonly Provider[] = working.length > 0 ? working : [CPU];
  for (const { provider, problem } of tried)
    if (problem !== undefined) onRefused(provider, problem, providers[0]!);
  return providers;
}

/** Provider that works everywhere. */
const CPU = 'cpu';
