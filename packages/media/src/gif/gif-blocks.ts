import { open, type FileHandle } from 'node:fs/promises';
import { MediaError } from '../media-error.ts';

/**
 * Number of bytes that are read from the file at once. Every part fits: a sub-block takes at most
 * 256 bytes, and a colour table 768.
 */
const CHUNK_BYTES = 1 << 16;

/** First byte of an image descriptor (GIF89a, 20). */
const IMAGE_SEPARATOR = 0x2c;

/** First byte of every extension block (GIF89a, 23 to 26). */
const EXTENSION_INTRODUCER = 0x21;

/** Byte that ends the file (GIF89a, 27). */
const TRAILER_BYTE = 0x3b;

/** Label of the extension that holds delay, disposal and transparency (GIF89a, 23). */
const GRAPHIC_CONTROL_LABEL = 0xf9;

/** Label of the extension that may hold the loop count (GIF89a, 26). */
const APPLICATION_LABEL = 0xff;

/** The logical screen: the canvas on which all pictures are drawn. */
export interface GifScreen {
  width: number;
  height: number;
  /** Interleaved RGB, 3 bytes a colour. */
  palette: Uint8Array | null;
}

/** One image block and the graphic control before it, as stored (GIF89a, 20 and 23). */
export interface GifImageBlock {
  left: number;
  top: number;
  width: number;
  height: number;
  palette: Uint8Array | null;
  interlaced: boolean;
  /** Delay in hundredths of a second, as stored. Browsers show 0 and 1 as 10. */
  delayCs: number;
  disposal: number;
  transparentIndex: number | null;
  lzwMinimumBits: number;
  /** LZW bytes without the framing of sub-blocks. Empty if pictures are skipped. */
  data: Uint8Array;
}

/**
 * Reads the blocks of a GIF file, with one chunk in memory at a time. All of this is our own
 * TypeScript, so a hostile file can only make it throw.
 */
export class GifBlocks {
  readonly screen: GifScreen;
  /**
   * Number of repeats: 0 means for ever; null means that the file does not say, and it plays once.
   */
  loop: number | null = null;
  /** Whether the file ended in the middle of a block. */
  truncated = false;
  readonly #bytes: ByteFeed;
  readonly #withData: boolean;

  private constructor(bytes: ByteFeed, screen: GifScreen, withData: boolean) {
    this.#bytes = bytes;
    this.screen = screen;
    this.#withData = withData;
  }

  /**
   * Opens a file and reads its screen.
   * @param withData whether to read the pictures' bytes; false is enough for sizes and delays
   */
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

  /** Yields the image blocks in file order, until the trailer or the end of the file. */
  async *images(): AsyncGenerator<GifImageBlock, void, undefined> {
    const control = { delayCs: 0, disposal: 0, transparentIndex: null as number | null };
    for (;;) {
      const kind = await this.#bytes.take(1);
      if (kind === null) {
        this.truncated = true;
        return;
      }
      if (kind[0] === TRAILER_BYTE) return;
      if (kind[0] === EXTENSION_INTRODUCER) {
        if (!(await this.#extension(control))) return;
      } else if (kind[0] === IMAGE_SEPARATOR) {
        const image = await this.#image(control);
        if (image === null) return;
        yield image;
        Object.assign(control, { delayCs: 0, disposal: 0, transparentIndex: null });
      } else if (kind[0] !== 0) {
        // Stray zero bytes between blocks are common. Any other byte means that the reader has lost
        // its place.
        this.truncated = true;
        return;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bytes.close();
  }

  async #extension(control: {
    delayCs: number;
    disposal: number;
    transparentIndex: number | null;
  }): Promise<boolean> {
    const label = await this.#bytes.take(1);
    if (label === null) return this.#cut();
    const blocks = await this.#subBlocks(
      label[0] === GRAPHIC_CONTROL_LABEL || label[0] === APPLICATION_LABEL,
      4096,
    );
    if (blocks === null) return this.#cut();
    if (label[0] === GRAPHIC_CONTROL_LABEL && blocks.length >= 4) {
      control.disposal = (blocks[0]! >> 2) & 7;
      control.delayCs = word(blocks, 1);
      control.transparentIndex = (blocks[0]! & 1) === 1 ? blocks[3]! : null;
    } else if (label[0] === APPLICATION_LABEL && blocks.length >= 14 && blocks[11] === 1) {
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
      data: NO_BYTES,
    };
    if ((flags & 0x80) !== 0) image.palette = await this.#bytes.take(3 << ((flags & 7) + 1));
    const bits = await this.#bytes.take(1);
    if (bits === null) return this.#nothing();
    image.lzwMinimumBits = bits[0]!;
    // A picture keeps no more LZW bytes than its pixels could need, even if the file has more.
    const budget = 4096 + image.width * image.height * 2;
    const data = await this.#subBlocks(this.#withData, budget);
    if (data === null) this.truncated = true;
    image.data = data ?? this.#bytes.partial;
    return image;
  }

  /**
   * Joins the sub-blocks of one block.
   * @returns up to `budget` bytes, or none if not `kept`; null if the file ends first
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

/** No bytes, with which a picture starts. */
const NO_BYTES = new Uint8Array(0);

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

/** Reads a file from start to end in chunks, so that short reads rarely touch the disk. */
class ByteFeed {
  /** Bytes of the unfinished block when the file ended. */
  partial: Uint8Array = NO_BYTES;
  readonly #file: FileHandle;
  #chunk: Uint8Array = NO_BYTES;
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Returns a view of the next `length` bytes, which stays valid. Returns null if the file ends
   * first.
   */
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
