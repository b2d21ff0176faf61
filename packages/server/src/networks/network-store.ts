import { createReadStream, existsSync } from 'node:fs';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ENGINE_ID, MESH_ENGINE } from '@guise/contract/engines.ts';
import {
  type NamesOf,
  type Protocol,
  type ProtocolName,
  PROTOCOLS,
} from '@guise/engine/networks/protocols.ts';
import type { NetworkFile, SwapperFiles } from '@guise/engine/networks/network-swapper.ts';
import { networkKey } from './network-key.ts';
import { syncFolder, writeDurably } from '@guise/media/write-durably.ts';

/** A network that an operator has added. */
export interface InstalledNetwork {
  /** Name of the network, by which requests choose it. */
  readonly id: string;
  readonly protocol: ProtocolName;
  readonly sha256: string;
  readonly bytes: number;
  /** Time at which it was added, ISO 8601. */
  readonly addedAt: string;
  /** Who said that this network may be used here: the name of a user of the machine. */
  readonly rightConfirmedBy: string;
  /** How many times a swapper's crop is enlarged; see `SwapperFiles`. */
  readonly boost?: number;
  /** SHA-256 of the file with inswapper's matrix, if the network's own file lacks it. */
  readonly matrixSha256?: string;
  /** Network that describes the source for this swapper. */
  readonly recogniser?: string;
  /** Network that converts the description for this swapper. */
  readonly converter?: string;
}

/** A network that is to be added. */
export type NewNetwork = Pick<InstalledNetwork, 'id' | 'protocol' | 'boost' | 'recogniser' | 'converter'>;

/** Age of an unfinished folder at which no command works on it any more. */
const LEFT_AFTER_MS = 86_400_000;
/** Name of the file that describes a network. */
const ABOUT = 'about.json';
/** Name of a network's file until its content is known. */
const COPY = 'copy.onnx';
/** Name of the file with its matrix until then. */
const MATRIX_COPY = 'copy.npy';
/** Beginning of the name of a folder that is being filled. */
const UNFINISHED = '.adding-';

/** Returns what a network is for. */
export function kindOf({ protocol }: Pick<InstalledNetwork, 'protocol'>): Protocol['kind'] {
  return PROTOCOLS[protocol].kind;
}

/**
 * Returns the key of a network: its name with a digest of its files and of those that it needs.
 * @param installed all networks of the store
 */
export function keyOf(network: InstalledNetwork, installed: readonly InstalledNetwork[]): string {
  const needed = installed.filter(({ id }) => id === network.recogniser || id === network.converter);
  const drawing = [network, ...needed].map(({ addedAt: _at, rightConfirmedBy: _who, ...about }) => about);
  return networkKey(network.id, createHash('sha256').update(JSON.stringify(drawing)).digest('hex'));
}

/** The operator's networks, in a folder of the data directory. */
export class NetworkStore {
  readonly #folder: string;

  /** @param folder which may be missing */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lists the networks by their names. @throws Error if one cannot be read */
  async list(): Promise<InstalledNetwork[]> {
    const names = existsSync(this.#folder) ? await readdir(this.#folder) : [];
    return Promise.all(names.filter((name) => !name.startsWith('.')).map((name) => this.#read(name)));
  }

  /**
   * Copies a file into the store, under a name that nobody sees yet. The caller inspects the copy,
   * and then calls `add` or `discard`.
   * @param matrix file with inswapper's matrix, if the network's own file lacks it
   */
  async copyIn(file: string, matrix?: string): Promise<CopiedNetwork> {
    await this.#sweep();
    const folder = path.join(this.#folder, `${UNFINISHED}${randomUUID()}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const copy = path.join(folder, COPY);
    try {
      const { sha256, sizeBytes } = await writeDurably(copy, createReadStream(file));
      const copied = { folder, file: copy, sha256, bytes: sizeBytes };
      if (matrix === undefined) return copied;
      const matrixCopy = path.join(folder, MATRIX_COPY);
      const matrixFile = await writeDurably(matrixCopy, createReadStream(matrix));
      return { ...copied, matrix: { file: matrixCopy, sha256: matrixFile.sha256 } };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Adds a copied network, and records that the user of this process may use it.
   * @throws Error with a sentence if its name cannot be used or a network that it needs is missing
   */
  async add(copied: CopiedNetwork, network: NewNetwork): Promise<InstalledNetwork> {
    const { folder, file, sha256, bytes, matrix } = copied;
    const { id } = network;
    await this.requireFree(id);
    const added: InstalledNetwork = {
      ...network,
      ...(await this.#neededBy(network)),
      ...(matrix && { matrixSha256: matrix.sha256 }),
      sha256,
      bytes,
      addedAt: new Date().toISOString(),
      rightConfirmedBy: userInfo().username,
    };
    await rename(file, path.join(folder, fileNameOf(sha256)));
    if (matrix) await rename(matrix.file, path.join(folder, matrixNameOf(matrix.sha256)));
    await writeDurably(path.join(folder, ABOUT), [Buffer.from(JSON.stringify(added, null, 2))]);
    await rename(folder, this.#folderOf(id));
    await syncFolder(this.#folder);
    return added;
  }

  /** Deletes a copy that was not added. */
  async discard({ folder }: CopiedNetwork): Promise<void> {
    await rm(folder, { recursive: true, force: true });
  }

  /** @throws Error with a sentence if a new network cannot have this name */
  async requireFree(id: string): Promise<void> {
    if (!ENGINE_ID.test(id))
      throw new Error(
        `${id} is not a name for a network: use up to 40 of a to z, 0 to 9, dots, hyphens and underscores.`,
      );
    if (id === MESH_ENGINE.id || existsSync(this.#folderOf(id)))
      throw new Error(`A network ${id} exists already: choose another name, or remove that one first.`);
  }

  /** Deletes a network. @throws Error with a sentence if there is none, or another one needs it */
  async remove(id: string): Promise<InstalledNetwork> {
    const network = await this.find(id);
    const dependent = (await this.list()).find(
      ({ recogniser, converter }) => recogniser === id || converter === id,
    );
    if (dependent) throw new Error(`${dependent.id} needs ${id}: remove ${dependent.id} first.`);
    // By its name it is gone at once, even if this process is killed now.
    const gone = path.join(this.#folder, `${UNFINISHED}${randomUUID()}`);
    await rename(this.#folderOf(id), gone);
    await rm(gone, { recursive: true, force: true });
    return network;
  }

  /** Returns a network. @throws Error with a sentence if there is none of this name */
  async find(id: string): Promise<InstalledNetwork> {
    const networks = await this.list();
    const found = networks.find((each) => each.id === id);
    if (found) return found;
    const names = networks.map((each) => each.id).join(', ');
    throw new Error(
      `There is no network ${id}. ${names === '' ? 'None has been added.' : `Those added are ${names}.`}`,
    );
  }

  /**
   * Returns the files of a swapper, after it has compared them with their checksums.
   * @throws Error with a sentence if it is no swapper, or if a file is damaged
   */
  async swapper(id: string): Promise<SwapperFiles> {
    const { boost = 1, recogniser, converter, matrixSha256, ...network } = await this.#intact(id, 'swapper');
    const fileOf = async (needed: string | undefined) => needed && (await this.#intactFile(needed));
    const matrix = matrixSha256 && (await this.#intactPath(id, matrixNameOf(matrixSha256), matrixSha256));
    return {
      ...network,
      boost,
      recogniser: await fileOf(recogniser),
      converter: await fileOf(converter),
      matrix,
    };
  }

  /** Returns the file of a restorer. Throws like `swapper`. */
  async restorer(id: string): Promise<NetworkFile<NamesOf<'restorer'>>> {
    return this.#intact(id, 'restorer');
  }

  /** Returns the file of a masker. Throws like `swapper`. */
  async masker(id: string): Promise<NetworkFile<NamesOf<'masker'>>> {
    return this.#intact(id, 'masker');
  }

  /** Deletes what a command left that was killed. */
  async #sweep(): Promise<void> {
    const names = existsSync(this.#folder) ? await readdir(this.#folder) : [];
    for (const name of names.filter((each) => each.startsWith(UNFINISHED))) {
      const left = path.join(this.#folder, name);
      const { mtimeMs } = await stat(left);
      if (Date.now() - mtimeMs > LEFT_AFTER_MS) await rm(left, { recursive: true, force: true });
    }
  }

  async #intact<Kind extends Protocol['kind']>(
    id: string,
    kind: Kind,
  ): Promise<InstalledNetwork & NetworkFile<NamesOf<Kind>>> {
    const network = await this.find(id);
    if (kindOf(network) !== kind) throw new Error(`${id} is a ${kindOf(network)}, not a ${kind}.`);
    const protocol = network.protocol as NamesOf<Kind>;
    return { ...network, protocol, file: await this.#intactFile(id) };
  }

  /** Finds the networks that a new one needs, of which there may be only one. */
  async #neededBy(network: NewNetwork): Promise<Pick<InstalledNetwork, 'recogniser' | 'converter'>> {
    const protocol: Protocol = PROTOCOLS[network.protocol];
    if (protocol.kind !== 'swapper' || protocol.source.kind === 'picture') return {};
    const recogniser = await this.#choose(network, 'recogniser');
    if (protocol.source.through !== 'converter') return { recogniser };
    return { recogniser, converter: await this.#choose(network, 'converter') };
  }

  async #choose(network: NewNetwork, kind: 'recogniser' | 'converter'): Promise<string> {
    const named = network[kind];
    const found = (await this.list()).filter((each) => kindOf(each) === kind);
    const names = found.map(({ id }) => id);
    if (named !== undefined && names.includes(named)) return named;
    if (named === undefined && names.length === 1) return names[0]!;
    const need = `A network for ${network.protocol} needs a ${kind}`;
    if (names.length === 0) throw new Error(`${need}: add one first.`);
    throw new Error(`${need}: say which with --${kind}, one of ${names.join(', ')}.`);
  }

  async #intactFile(id: string): Promise<string> {
    const { sha256 } = await this.#read(id);
    return this.#intactPath(id, fileNameOf(sha256), sha256);
  }

  /** Returns the path of a file of a network, after it has compared it with its checksum. */
  async #intactPath(id: string, name: string, sha256: string): Promise<string> {
    const file = path.join(this.#folderOf(id), name);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    if (hash.digest('hex') !== sha256)
      throw new Error(`The network ${id} is damaged: remove it, and add it again.`);
    return file;
  }

  async #read(id: string): Promise<InstalledNetwork> {
    return JSON.parse(await readFile(path.join(this.#folderOf(id), ABOUT), 'utf8'));
  }

  #folderOf(id: string): string {
    return path.join(this.#folder, id);
  }
}

/**
 * Names the file of a network after its content, so that no process takes another file for one that
 * it has open.
 */
function fileNameOf(sha256: string): string {
  return `${sha256}.onnx`;
}

/** Names the file with a network's matrix, likewise. */
function matrixNameOf(sha256: string): string {
  return `${sha256}.npy`;
}

/** A file in the store that is not a network yet. */
export interface CopiedNetwork {
  readonly folder: string;
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** File with its matrix. */
  readonly matrix?: { readonly file: string; readonly sha256: string };
}
