import type { Storage } from '../../storage/storage.ts';
import { type LocalInput, type RestingInput, withInputs } from './with-inputs.ts';
import { SharedSourceAnalysis } from './shared-source-analysis.ts';

/**
 * Time for which a file and its analysis are kept after their last use. The engines keep the
 * decoded image for the same time.
 */
const LINGER_MS = 5000;

/** Data that the items of one batch share on this machine. */
export interface SharedOfItems {
  /** The file that all items share. */
  readonly input: LocalInput;
  /** Analysis of the source by this worker's first engine. Used if the items share the source. */
  readonly analysis: SharedSourceAnalysis;
}

interface Entry {
  readonly shared: Promise<SharedOfItems>;
  /** Releases the file. Resolves when that is done. */
  readonly close: () => Promise<void>;
  users: number;
  timer: NodeJS.Timeout | undefined;
  isDropped: boolean;
}

/**
 * Keeps shared data of a batch while this worker works on its items. A file in a bucket is
 * downloaded once. Its path stays the same, so that engines recognise it (`SharedImageCache`).
 */
export class SharedWork {
  readonly #storage: Storage;
  readonly #entries = new Map<string, Entry>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Calls `use` with the shared data of a task. @param input the shared file */
  async use<T>(taskId: string, input: RestingInput, use: (shared: SharedOfItems) => Promise<T>): Promise<T> {
    const entry = this.#entries.get(taskId) ?? this.#open(taskId, input);
    clearTimeout(entry.timer);
    entry.users += 1;
    try {
      return await use(await entry.shared);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) {
        if (entry.isDropped) await entry.close();
        else if (this.#entries.get(taskId) === entry)
          entry.timer = setTimeout(() => void this.drop(taskId), LINGER_MS).unref();
      }
    }
  }

  /** Releases the shared data of a task as soon as nothing uses it. */
  async drop(taskId: string): Promise<void> {
    const entry = this.#entries.get(taskId);
    if (entry === undefined) return;
    this.#entries.delete(taskId);
    clearTimeout(entry.timer);
    entry.isDropped = true;
    if (entry.users === 0) await entry.close();
  }

  /** Releases the shared data of all tasks. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((taskId) => this.drop(taskId)));
  }

  #open(taskId: string, input: RestingInput): Entry {
    const shared = Promise.withResolvers<SharedOfItems>();
    const released = Promise.withResolvers<void>();
    const gone = withInputs(this.#storage, [input], ([localPath]) => {
      shared.resolve({ input: { localPath: localPath! }, analysis: new SharedSourceAnalysis() });
      return released.promise;
    }).catch((error: unknown) => {
      // The failed entry is removed, so that the next item tries again.
      if (this.#entries.get(taskId) === entry) this.#entries.delete(taskId);
      shared.reject(error);
    });
    const close = (): Promise<void> => {
      released.resolve();
      return gone;
    };
    const entry: Entry = { shared: shared.promise, close, users: 0, timer: undefined, isDropped: false };
    this.#entries.set(taskId, entry);
    return entry;
  }
}
