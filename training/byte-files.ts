import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';

/** Binary files in a folder, to which bytes are appended. */
export class ByteFiles {
  readonly #dir: string;
  readonly #files = new Map<string, WriteStream>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Appends bytes to `NAME.bin`. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const file = this.#files.get(name) ?? createWriteStream(path.join(this.#dir, `${name}.bin`));
    this.#files.set(name, file);
    if (!file.write(bytes)) await once(file, 'drain');
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) {
      file.end();
      await once(file, 'close');
    }
  }
}
