import { CLIP_FORMATS } from '@guise/contract/formats.ts';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { MediaError } from '../media-error.ts';
import { type ProcessResult } from '../video/video-types.ts';
import { GifWriter } from './gif-writer.ts';
import { PaletteSampler } from './palette.ts';
import { MAX_GIF_TOTAL_PIXELS } from './probe-gif.ts';

/**
 * Pictures that wait to be written into a GIF. The palette depends on all of them, so they wait in
 * a file instead of in memory.
 *
 * The file loses its name as soon as it is open, and so it disappears with the process.
 */
export class Animation {
  readonly #outputPath: string;
  readonly #width: number;
  readonly #height: number;
  readonly #spool: FileHandle;
  readonly #sampler: PaletteSampler;
  readonly #delaysCs: number[] = [];

  private constructor(
    outputPath: string,
    width: number,
    height: number,
    spool: FileHandle,
    expectedFrames: number,
  ) {
    this.#outputPath = outputPath;
    this.#width = width;
    this.#height = height;
    this.#spool = spool;
    this.#sampler = new PaletteSampler(width * height * Math.max(1, expectedFrames));
  }

  /**
   * Opens an animation with an empty spool.
   * @param expectedFrames an estimate; the palette samples more sparsely if there are more
   */
  static async create(
    outputPath: string,
    width: number,
    height: number,
    expectedFrames: number,
  ): Promise<Animation> {
    const spoolPath = `${outputPath}.frames`;
    const spool = await open(spoolPath, 'w+', 0o600);
    await rm(spoolPath, { force: true });
    return new Animation(outputPath, width, height, spool, expectedFrames);
  }

  get frameCount(): number {
    return this.#delaysCs.length;
  }

  /**
   * Adds a picture.
   * @param rgba is copied
   * @param delayCs can be corrected by `setDelay`
   */
  async add(rgba: Uint8Array, delayCs: number): Promise<void> {
    this.#sampler.add(rgba);
    this.#delaysCs.push(delayCs);
    if (
      this.#delaysCs.length > 1 &&
      this.#delaysCs.length * this.#width * this.#height > MAX_GIF_TOTAL_PIXELS
    ) {
      throw new MediaError(
        'TOO_MANY_PIXELS',
        `The GIF has more than ${MAX_GIF_TOTAL_PIXELS} pixels over all its pictures.`,
        {
          limit: MAX_GIF_TOTAL_PIXELS,
        },
      );
    }
    for (let at = 0; at < rgba.length;) at += (await this.#spool.write(rgba, at)).bytesWritten;
  }

  setDelay(index: number, delayCs: number): void {
    this.#delaysCs[index] = delayCs;
  }

  /**
   * Writes the file, which appears when it is complete and on disk.
   * @param step called after each picture
   */
  async write(loop: number | null, noisy: boolean, step: (written: number) => void): Promise<ProcessResult> {
    if (this.#delaysCs.length === 0) {
      throw new MediaError('DAMAGED', 'The file is damaged: no picture could be decoded.');
    }
    const part = `${this.#outputPath}.part`;
    try {
      const writer = await GifWriter.create(part, {
        width: this.#width,
        height: this.#height,
        palette: await this.#sampler.palette(),
        transparency: this.#sampler.transparent,
        loop,
        noisy,
      });
      try {
        const rgba = new Uint8Array(this.#width * this.#height * 4);
        for (const [index, delayCs] of this.#delaysCs.entries()) {
          await readWhole(this.#spool, rgba, index * rgba.length);
          await writer.add(rgba, Math.min(65_535, delayCs));
          step(index + 1);
        }
        await writer.finish();
      } finally {
        await writer.close();
      }
      const { size } = await stat(part);
      await rename(part, this.#outputPath);
      return {
        container: 'gif',
        contentType: CLIP_FORMATS.gif.contentType,
        width: this.#width,
        height: this.#height,
        durationSeconds: this.#delaysCs.reduce((sum, delay) => sum + (delay <= 1 ? 10 : delay), 0) / 100,
        frameCount: this.#delaysCs.length,
        damagedFrames: 0,
        audio: 'none',
        sizeBytes: size,
      };
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spool.close();
  }
}

async function readWhole(file: FileHandle, into: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < into.length;) {
    const { bytesRead } = await file.read(into, at, into.length - at, position + at);
    if (bytesRead === 0) throw new Error('the waiting pictures ended early');
    at += bytesRead;
  }
}
