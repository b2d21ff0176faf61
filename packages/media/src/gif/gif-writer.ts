import { open, type FileHandle } from 'node:fs/promises';
import { lzwEncode } from './lzw.ts';
import { PaletteMap, TRANSPARENT_INDEX } from './palette.ts';

/**
 * How much farther than the best colour a pixel's previous colour may be and still stay, so that
 * noise does not make a still wall shimmer. Unit: squared weighted distance; 9 is one level in all
 * three channels.
 */
const STICKY_DISTANCE = 54;

/**
 * Writes an animated GIF, with one palette for all pictures. Each picture holds only what changed.
 */
export class GifWriter {
  readonly #file: FileHandle;
  readonly #width: number;
  readonly #height: number;
  readonly #map: PaletteMap;
  readonly #transparency: boolean;
  readonly #sticky: number;
  #shown: Uint8Array | null = null;

  private constructor(file: FileHandle, settings: GifSettings) {
    this.#file = file;
    this.#width = settings.width;
    this.#height = settings.height;
    this.#map = new PaletteMap(settings.palette, settings.noisy);
    this.#transparency = settings.transparency;
    this.#sticky = settings.noisy ? STICKY_DISTANCE : 0;
  }

  static async create(filePath: string, settings: GifSettings): Promise<GifWriter> {
    const file = await open(filePath, 'w');
    const palette = new Uint8Array(256 * 3);
    palette.set(settings.palette);
    const head = Buffer.alloc(13);
    head.write('GIF89a', 'latin1');
    head.writeUInt16LE(settings.width, 6);
    head.writeUInt16LE(settings.height, 8);
    // The flags announce a global table of 256 colours at 8 bits.
    head[10] = 0xf7;
    const parts = [head, palette];
    if (settings.loop !== null) {
      const loop = Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1');
      loop.writeUInt16LE(settings.loop, 16);
      parts.push(loop);
    }
    await file.write(Buffer.concat(parts));
    return new GifWriter(file, settings);
  }

  /**
   * Adds a picture.
   * @param rgba the whole canvas
   * @param delayCs as it is stored, 0 to 65,535
   */
  async add(rgba: Uint8Array, delayCs: number): Promise<void> {
    const indexes = this.#quantise(rgba);
    // In a GIF with transparency, a pixel may have to vanish again, so every picture is stored
    // whole (disposal 2 clears it).
    const whole = this.#transparency || this.#shown === null;
    const box = whole ? { x: 0, y: 0, width: this.#width, height: this.#height } : this.#changed(indexes);
    const block = new Uint8Array(box.width * box.height);
    for (let row = 0; row < box.height; row += 1) {
      const from = (box.y + row) * this.#width + box.x;
      block.set(indexes.subarray(from, from + box.width), row * box.width);
      if (whole) continue;
      for (let column = 0; column < box.width; column += 1) {
        if (indexes[from + column] === this.#shown![from + column])
          block[row * box.width + column] = TRANSPARENT_INDEX;
      }
    }
    this.#shown = indexes;
    const usesTransparent = this.#transparency || !whole;
    const head = Buffer.alloc(19);
    head.set([0x21, 0xf9, 4, ((this.#transparency ? 2 : 1) << 2) | (usesTransparent ? 1 : 0)]);
    head.writeUInt16LE(delayCs, 4);
    head[6] = usesTransparent ? TRANSPARENT_INDEX : 0;
    head[8] = 0x2c;
    head.writeUInt16LE(box.x, 9);
    head.writeUInt16LE(box.y, 11);
    head.writeUInt16LE(box.width, 13);
    head.writeUInt16LE(box.height, 15);
    head[18] = 8;
    await this.#file.write(Buffer.concat([head, subBlocks(lzwEncode(block, 8))]));
  }

  async finish(): Promise<void> {
    await this.#file.write(Buffer.from([0x3b]));
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #quantise(rgba: Uint8Array): Uint8Array {
    const indexes = new Uint8Array(this.#width * this.#height);
    const map = this.#map;
    const shown = this.#shown;
    const sticky = this.#sticky;
    for (let i = 0, at = 0; i < indexes.length; i += 1, at += 4) {
      if (rgba[at + 3]! < 128) {
        indexes[i] = TRANSPARENT_INDEX;
        continue;
      }
      const rgb = (rgba[at]! << 16) | (rgba[at + 1]! << 8) | rgba[at + 2]!;
      let index = map.nearest(rgb);
      if (sticky > 0 && shown !== null) {
        const last = shown[i]!;
        if (
          last !== index &&
          last !== TRANSPARENT_INDEX &&
          map.distance(rgb, last) <= map.distance(rgb, index) + sticky
        ) {
          index = last;
        }
      }
      indexes[i] = index;
    }
    return indexes;
  }

  /**
   * Returns the smallest box around all pixels that differ from the picture shown, or one pixel if
   * all are equal.
   */
  #changed(indexes: Uint8Array): { x: number; y: number; width: number; height: number } {
    const shown = this.#shown!;
    const width = this.#width;
    let left = width;
    let right = -1;
    let top = -1;
    let bottom = -1;
    for (let y = 0, i = 0; y < this.#height; y += 1) {
      for (let x = 0; x < width; x += 1, i += 1) {
        if (indexes[i] === shown[i]) continue;
        if (top < 0) top = y;
        bottom = y;
        if (x < left) left = x;
        if (x > right) right = x;
      }
    }
    if (top < 0) return { x: 0, y: 0, width: 1, height: 1 };
    return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  }
}

export interface GifSettings {
  width: number;
  height: number;
  /** Interleaved RGB, at most 255 colours. */
  palette: Uint8Array;
  /** Whether some pixel of some picture is transparent. */
  transparency: boolean;
  /** Number of repeats: 0 means for ever; null means that it plays once. */
  loop: number | null;
  /** Whether the pictures come from a camera instead of a GIF; see `STICKY_DISTANCE`. */
  noisy: boolean;
}

function subBlocks(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + Math.ceil(bytes.length / 255) + 1);
  let to = 0;
  for (let from = 0; from < bytes.length; from += 255) {
    const length = Math.min(255, bytes.length - from);
    out[to] = length;
    out.set(bytes.subarray(from, from + length), to + 1);
    to += length + 1;
  }
  return out.subarray(0, to + 1);
}
