import { openAsBlob, realpathSync } from 'node:fs';
import { lstat, open, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** The only folder whose files the tools read and write. */
export class Folder {
  /** Path without symbolic links. */
  readonly #root: string;

  /** @throws Error if the folder does not exist */
  constructor(folder: string) {
    this.#root = realpathSync(folder);
  }

  /** Opens a file. @throws Error if it is outside of the folder, or no file */
  async read(name: string): Promise<File> {
    const file = await this.#realPathOf(name, this.#resolve(name));
    if (!(await stat(file)).isFile()) throw new Error(`${name} is not a file.`);
    return new File([await openAsBlob(file)], path.basename(file));
  }

  /** Returns where a new file is to be saved. @throws Error if it is outside, or exists */
  async placeFor(name: string): Promise<string> {
    const { dir, base } = path.parse(this.#resolve(name));
    const place = path.join(await this.#realPathOf(name, dir), base);
    const found = await lstat(place).catch(() => null);
    if (found !== null) throw new Error(`${name} exists already. Choose another output.`);
    return place;
  }

  /** Saves a new file. It is removed if it does not become complete. */
  async save(place: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = await open(place, 'wx');
    try {
      await file.writeFile(content);
    } catch (error) {
      await rm(place);
      throw error;
    } finally {
      await file.close();
    }
  }

  /** Resolves a name without looking at the disk, so that nothing outside is looked for. */
  #resolve(name: string): string {
    const file = path.resolve(this.#root, name);
    this.#refuseOutside(name, file);
    return file;
  }

  async #realPathOf(name: string, file: string): Promise<string> {
    const real = await realpath(file).catch(() => null);
    if (real === null) throw new Error(`${name} does not exist.`);
    this.#refuseOutside(name, real);
    return real;
  }

  #refuseOutside(name: string, file: string): void {
    const [first] = path.relative(this.#root, file).split(path.sep);
    if (first === '..') throw new Error(`${name} is outside of the folder that this server may use.`);
  }
}
