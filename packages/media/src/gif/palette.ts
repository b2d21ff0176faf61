import sharp from 'sharp';

/** Index of the transparent entry. Colours take the entries before it. */
export const TRANSPARENT_INDEX = 255;

/** Largest number of colours of a palette, which leaves one index for transparency. */
const MAX_PALETTE_COLOURS = 255;

/** Largest number of pixels that are sampled from all pictures together. */
const MAX_SAMPLES = 1 << 20;

/** Number of samples per row of the picture that the quantiser gets. */
const SAMPLES_PER_ROW = 1024;

/**
 * Gathers colours from all pictures of an animation and makes one palette of them. A palette for
 * each picture would map a still wall to another colour every time.
 */
export class PaletteSampler {
  readonly #samples = new Uint8Array(MAX_SAMPLES * 3);
  readonly #step: number;
  readonly #distinct = new Set<number>();
  #count = 0;
  #phase = 0;
  transparent = false;

  /** @param totalPixels pixels of all pictures, which decide how sparsely to sample */
  constructor(totalPixels: number) {
    this.#step = Math.max(1, Math.ceil(totalPixels / MAX_SAMPLES));
  }

  add(rgba: Uint8Array): void {
    const distinct = this.#distinct;
    for (let at = 0; at < rgba.length; at += 4) {
      if (rgba[at + 3]! < 128) {
        this.transparent = true;
        continue;
      }
      if (distinct.size <= MAX_PALETTE_COLOURS)
        distinct.add((rgba[at]! << 16) | (rgba[at + 1]! << 8) | rgba[at + 2]!);
      this.#phase += 1;
      if (this.#phase < this.#step || this.#count >= MAX_SAMPLES) continue;
      this.#phase = 0;
      const to = this.#count * 3;
      this.#samples[to] = rgba[at]!;
      this.#samples[to + 1] = rgba[at + 1]!;
      this.#samples[to + 2] = rgba[at + 2]!;
      this.#count += 1;
    }
  }

  /**
   * Makes the palette.
   * @returns interleaved RGB, at least one colour and at most 255
   */
  async palette(): Promise<Uint8Array> {
    if (this.#distinct.size <= MAX_PALETTE_COLOURS) {
      // There are few enough colours to keep each one exactly.
      const exact = [...this.#distinct].flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]);
      return Uint8Array.from(exact.length === 0 ? [0, 0, 0] : exact);
    }
    const width = Math.min(SAMPLES_PER_ROW, this.#count);
    const height = Math.floor(this.#count / width);
    const raw = Buffer.from(this.#samples.buffer, 0, width * height * 3);
    const png = await sharp(raw, { raw: { width, height, channels: 3 } })
      .png({ palette: true, colours: MAX_PALETTE_COLOURS, dither: 0, effort: 7, compressionLevel: 0 })
      .toBuffer();
    return pngPalette(png);
  }
}

/** Reads the quantiser's palette from the PNG's PLTE chunk. */
function pngPalette(png: Buffer): Uint8Array {
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'PLTE') {
      return Uint8Array.from(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  throw new Error('the quantiser gave no palette');
}

/** Cache value of a colour that has not been looked up yet. No colour has this index. */
const UNKNOWN_INDEX = 0xff;

/**
 * Finds the nearest palette entry of a colour and remembers it. Colours of a GIF are looked up by
 * all 24 bits (16 MB of cache), so that they can stay exact. A camera has too many colours for
 * that, and 6 bits a channel err by less than its noise.
 */
export class PaletteMap {
  readonly #palette: Uint8Array;
  readonly #cache: Uint8Array;
  readonly #coarse: boolean;

  constructor(palette: Uint8Array, coarse: boolean) {
    this.#palette = palette;
    this.#coarse = coarse;
    this.#cache = new Uint8Array(coarse ? 1 << 18 : 1 << 24).fill(UNKNOWN_INDEX);
  }

  nearest(rgb: number): number {
    const key = this.#coarse ? ((rgb >> 6) & 0x3f000) | ((rgb >> 4) & 0xfc0) | ((rgb >> 2) & 0x3f) : rgb;
    const known = this.#cache[key]!;
    if (known !== UNKNOWN_INDEX) return known;
    // Uses the middle of the four levels that share a key.
    const asked = this.#coarse ? (rgb & 0xfcfcfc) | 0x020202 : rgb;
    let best = 0;
    let least = Infinity;
    for (let index = 0; index * 3 < this.#palette.length; index += 1) {
      const distance = this.distance(asked, index);
      if (distance < least) {
        least = distance;
        best = index;
      }
    }
    this.#cache[key] = best;
    return best;
  }

  /**
   * Returns the squared distance, with weights of 2, 4 and 3 for the channels, as the eye sees
   * them.
   */
  distance(rgb: number, index: number): number {
    const at = index * 3;
    const r = (rgb >> 16) - this.#palette[at]!;
    const g = ((rgb >> 8) & 255) - this.#palette[at + 1]!;
    const b = (rgb & 255) - this.#palette[at + 2]!;
    return 2 * r * r + 4 * g * g + 3 * b * b;
  }
}
