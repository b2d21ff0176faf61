import sharp from 'sharp';

/** Index of the transparent entry; colours take the ones before it. */
export const TRANSPARENT = 255;
const MAX_COLOURS = 255;
const MAX_SAMPLES = 1 << 20;
const SAMPLE_ROW = 1024;

/**
 * Gathers colours from all pictures of an animation and makes one palette of them. One palette for
 * the whole animation is what keeps still parts still: a palette per picture maps the same wall to
 * another colour every time.
 */
export class PaletteSampler {
  readonly #samples = new Uint8Array(MAX_SAMPLES * 3);
  readonly #step: number;
  readonly #distinct = new Set<number>();
  #count = 0;
  #phase = 0;
  transparent = false;

  /** @param totalPixels over all pictures; says how sparsely to sample */
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
      if (distinct.size <= MAX_COLOURS)
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

  /** @returns interleaved RGB, at most 255 colours, at least one */
  async palette(): Promise<Uint8Array> {
    if (this.#distinct.size <= MAX_COLOURS) {
      // Few enough colours to keep every one exactly.
      const exact = [...this.#distinct].flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]);
      return Uint8Array.from(exact.length === 0 ? [0, 0, 0] : exact);
    }
    const width = Math.min(SAMPLE_ROW, this.#count);
    const height = Math.floor(this.#count / width);
    const raw = Buffer.from(this.#samples.buffer, 0, width * height * 3);
    const png = await sharp(raw, { raw: { width, height, channels: 3 } })
      .png({ palette: true, colours: MAX_COLOURS, dither: 0, effort: 7, compressionLevel: 0 })
      .toBuffer();
    return pngPalette(png);
  }
}

/** The quantiser's answer, read from where PNG keeps it (the PLTE chunk). */
function pngPalette(png: Buffer): Uint8Array {
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'PLTE') {
      return Uint8Array.from(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  throw new Error('the quantiser gave no palette');
}

const UNKNOWN = 0xff;

/**
 * Nearest palette entries, each colour worked out once; 255 is free to mean "not yet". Pictures
 * from a GIF are looked up by all 24 bits (16 MB of cache), so that colours that can be kept are
 * kept. Camera pictures have too many for that: they are looked up by 6 bits a channel, an error
 * below their own noise.
 */
export class PaletteMap {
  readonly #palette: Uint8Array;
  readonly #cache: Uint8Array;
  readonly #coarse: boolean;

  constructor(palette: Uint8Array, coarse: boolean) {
    this.#palette = palette;
    this.#coarse = coarse;
    this.#cache = new Uint8Array(coarse ? 1 << 18 : 1 << 24).fill(UNKNOWN);
  }

  nearest(rgb: number): number {
    const key = this.#coarse ? ((rgb >> 6) & 0x3f000) | ((rgb >> 4) & 0xfc0) | ((rgb >> 2) & 0x3f) : rgb;
    const known = this.#cache[key]!;
    if (known !== UNKNOWN) return known;
    // The middle of the four levels that share a key.
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

  /** Squared, the channels weighted as the eye does (2, 4, 3). */
  distance(rgb: number, index: number): number {
    const at = index * 3;
    const r = (rgb >> 16) - this.#palette[at]!;
    const g = ((rgb >> 8) & 255) - this.#palette[at + 1]!;
    const b = (rgb & 255) - this.#palette[at + 2]!;
    return 2 * r * r + 4 * g * g + 3 * b * b;
  }
}
