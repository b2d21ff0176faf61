import { open, type FileHandle } from 'node:fs/promises';
import { MediaError } from '../media-error.ts';

const CHUNK_BYTES = 1 << 16;
/**
 * One sub-block is at most 256 bytes, a colour table 768: everything asked for at once fits a
 * chunk.
 */
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

export interface GifScreen {
  width: number;
  height: number;
  /** Interleaved RGB, 3 bytes a colour. */
  palette: Uint8Array | null;
}

/** One image block with the graphic control before it, as stored (GIF89a, 20 and 23). */
export interface GifImageBlock {
  left: number;
  top: number;
  width: number;
  height: number;
  palette: Uint8Array | null;
  interlaced: boolean;
  /** Hundredths of a second, as stored; browsers show 0 and 1 as 10. */
  delayCs: number;
  disposal: number;
  transparentIndex: number | null;
  lzwMinimumBits: number;
  /** The LZW bytes, sub-block framing removed; empty when only looked over. */
  data: Uint8Array;
}

/**
 * Walks a GIF's blocks from a file, a chunk at a time; our own code, so nothing in a file can do
 * more than throw.
 */
export class GifBlocks {
  readonly screen: GifScreen;
  /**
   * How often the animation plays again: 0 for ever; null when the file says nothing (it plays
   * once).
   */
  loop: number | null = null;
  /** The file ended in the middle of a block. */
  truncated = false;
  readonly #bytes: ByteFeed;
  readonly #withData: boolean;

  private constructor(bytes: ByteFeed, screen: GifScreen, withData: boolean) {
    this.#bytes = bytes;
    this.screen = screen;
    this.#withData = withData;
  }

  /** @param withData false skips the pictures' bytes, for a look at sizes and delays */
  static async open(filePath: string, withData: boolean): Promise<GifBlocks> {
    const bytes = new ByteFeed(await open(filePath, 'r'));
    try {
      const head = await bytes.take(13);
      if (head === null || !/^GIF8[79]a$/.test(Buffer.from(head.subarray(0, 6)).toString('latin1'))) {
        throw new MediaError('UNREADABLE', 'The GIF cannot be read: its header is damaged.');
      }
      const screen: GifScreen = { width: word(head, 6), height: word(head, 8), palette: null };
      const flags = head[10]!;
      if ((flags & 0x80) !== 0) screen.palette = await bytes.take(3 << ((flags & 7) + 1));
      return new GifBlocks(bytes, screen, withData);
    } catch (error) {
      await bytes.close();
      throw error;
    }
  }

  /** In file order, until the trailer or the file's end. */
  async *images(): AsyncGenerator<GifImageBlock, void, undefined> {
    const control = { delayCs: 0, disposal: 0, transparentIndex: null as number | null };
    for (;;) {
      const kind = await this.#bytes.take(1);
      if (kind === null) {
        this.truncated = true;
        return;
      }
      if (kind[0] === TRAILER) return;
      if (kind[0] === EXTENSION) {
        if (!(await this.#extension(control))) return;
      } else if (kind[0] === IMAGE) {
        const image = await this.#image(control);
        if (image === null) return;
        yield image;
        Object.assign(control, { delayCs: 0, disposal: 0, transparentIndex: null });
      } else if (kind[0] !== 0) {
        // Stray zero bytes between blocks are common; anything else means the walk has lost its
        // place.
        this.truncated = true;
        return;
      }
    }
  }

  async close(): Promise<void> {
    await this.#bytes.close();
  }

  async #extension(control: {
    delayCs: number;
    disposal: number;
    transparentIndex: number | null;
  }): Promise<boolean> {
    const label = await this.#bytes.take(1);
    if (label === null) return this.#cut();
    const blocks = await this.#subBlocks(label[0] === GRAPHIC_CONTROL || label[0] === APPLICATION, 4096);
    if (blocks === null) return this.#cut();
    if (label[0] === GRAPHIC_CONTROL && blocks.length >= 4) {
      control.disposal = (blocks[0]! >> 2) & 7;
      control.delayCs = word(blocks, 1);
      control.transparentIndex = (blocks[0]! & 1) === 1 ? blocks[3]! : null;
    } else if (label[0] === APPLICATION && blocks.length >= 14 && blocks[11] === 1) {
      const name = Buffer.from(blocks.subarray(0, 11)).toString('latin1');
      if (name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0') this.loop = word(blocks, 12);
    }
    return true;
  }

  async #image(control: { delayCs: number; disposal: number; transparentIndex: number | null }) {
    const head = await this.#bytes.take(9);
    if (head === null) return this.#nothing();
    const flags = head[8]!;
    const image: GifImageBlock = {
      left: word(head, 0),
      top: word(head, 2),
      width: word(head, 4),
      height: word(head, 6),
      palette: null,
      interlaced: (flags & 0x40) !== 0,
      ...control,
      lzwMinimumBits: 0,
      data: EMPTY,
    };
    if ((flags & 0x80) !== 0) image.palette = await this.#bytes.take(3 << ((flags & 7) + 1));
    const bits = await this.#bytes.take(1);
    if (bits === null) return this.#nothing();
    image.lzwMinimumBits = bits[0]!;
    // No more LZW bytes are kept than the picture could need, whatever the file goes on to hold.
    const budget = 4096 + image.width * image.height * 2;
    const data = await this.#subBlocks(this.#withData, budget);
    if (data === null) this.truncated = true;
    image.data = data ?? this.#bytes.partial;
    return image;
  }

  /**
   * @returns the sub-blocks put together (up to `budget`), empty when not kept; null when the file
   * ends first
   */
  async #subBlocks(kept: boolean, budget: number): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const size = await this.#bytes.take(1);
      if (size !== null && size[0] === 0) return Buffer.concat(pieces);
      const block = size === null ? null : await this.#bytes.take(size[0]!);
      if (block === null) {
        this.#bytes.partial = Buffer.concat(pieces);
        return null;
      }
      total += block.length;
      if (kept && total <= budget) pieces.push(block);
    }
  }

  #cut(): false {
    this.truncated = true;
    return false;
  }

  #nothing(): null {
    this.truncated = true;
    return null;
  }
}

const EMPTY = new Uint8Array(0);

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

/** A file from start to end; small takes rarely touch the disk. */
class ByteFeed {
  /** What had been put together when the file ended. */
  partial: Uint8Array = EMPTY;
  readonly #file: FileHandle;
  #chunk: Uint8Array = EMPTY;
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** A view of `length` bytes that stays valid; null when the file ends first. */
  async take(length: number): Promise<Uint8Array | null> {
    if (this.#at + length > this.#chunk.length && !(await this.#fill(length))) return null;
    const taken = this.#chunk.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #fill(length: number): Promise<boolean> {
    const left = this.#chunk.subarray(this.#at);
    const next = Buffer.allocUnsafeSlow(left.length + CHUNK_BYTES);
    next.set(left);
    const { bytesRead } = await this.#file.read(next, left.length, CHUNK_BYTES);
    this.#chunk = next.subarray(0, left.length + bytesRead);
    this.#at = 0;
    return this.#chunk.length >= length;
  }
}
