import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { type Samples, type Stamp, stampAlpha, stampSamples } from '@guise/kernels/stamp.ts';
import { sampleOffsets } from '@guise/kernels/yuv/reduce-region.ts';
import { colourMatrix, planeColours } from '../video/colour.ts';
import type { FrameRect, LumaPlane, MediaFrame } from '../video/video-types.ts';
import { checkSize, clipRegion } from '../video/yuv-frame.ts';

/** JPEG's colour matrix (BT.601, full range), in which edits of an RGB picture are made. */
const EDIT_MATRIX = colourMatrix(5, true, 0, 0);

/** Weights and offsets from RGB to planes by that matrix. */
const EDIT_COLOURS = planeColours(EDIT_MATRIX);

/** Weights from chroma differences to RGB differences by that matrix. */
const CHROMA_TO_RGB = {
  rCr: EDIT_MATRIX.rCr / 8192,
  gCb: EDIT_MATRIX.gCb / 8192,
  gCr: EDIT_MATRIX.gCr / 8192,
  bCb: EDIT_MATRIX.bCb / 8192,
};

/**
 * A frame of RGBA pixels that this process owns. Only a stamp changes its alpha. See `MediaFrame`.
 */
export class RgbaFrame implements MediaFrame {
  readonly planes = null;
  readonly index: number;
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly #rgba: Uint8Array;

  constructor(rgba: Uint8Array, width: number, height: number, index: number, timeSeconds: number) {
    this.#rgba = rgba;
    this.width = width;
    this.height = height;
    this.index = index;
    this.timeSeconds = timeSeconds;
  }

  luma(): LumaPlane {
    const { width, height } = this;
    const rgba = this.#rgba;
    const data = new Uint8Array(width * height);
    for (let i = 0, at = 0; i < data.length; i += 1, at += 4) {
      data[i] = (54 * rgba[at]! + 183 * rgba[at + 1]! + 19 * rgba[at + 2]!) >> 8;
    }
    return { data, stride: width, width, height };
  }

  rgb(rect: FrameRect): RgbImage {
    const region = clipRegion(rect, this.width, this.height);
    const data = new Uint8Array(region.width * region.height * 3);
    const rgba = this.#rgba;
    for (let row = 0, to = 0; row < region.height; row += 1) {
      let at = ((region.y + row) * this.width + region.x) * 4;
      for (let column = 0; column < region.width; column += 1, at += 4, to += 3) {
        data[to] = rgba[at]!;
        data[to + 1] = rgba[at + 1]!;
        data[to + 2] = rgba[at + 2]!;
      }
    }
    return { data, width: region.width, height: region.height };
  }

  commitRgb(rect: FrameRect, image: RgbImage): void {
    const region = clipRegion(rect, this.width, this.height);
    checkSize(region, image);
    const rgba = this.#rgba;
    for (let row = 0, from = 0; row < region.height; row += 1) {
      let at = ((region.y + row) * this.width + region.x) * 4;
      for (let column = 0; column < region.width; column += 1, at += 4, from += 3) {
        rgba[at] = image.data[from]!;
        rgba[at + 1] = image.data[from + 1]!;
        rgba[at + 2] = image.data[from + 2]!;
      }
    }
  }

  /** Lets `edit` change planes that are made for this call, and adds the changes to the pixels. */
  edit(rect: FrameRect, edit: (planes: FramePlanes) => void): void {
    const { x, y, width, height } = clipRegion(rect, this.width, this.height);
    const rgba = this.#rgba;
    const count = width * height;
    const data = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)] as const;
    for (const [k, plane] of data.entries()) {
      const [r, g, b] = EDIT_COLOURS.weights.slice(3 * k, 3 * k + 3) as [number, number, number];
      const offset = EDIT_COLOURS.offset[k]! + 0.5;
      for (let i = 0; i < count; i += 1) {
        const at = 4 * ((y + Math.floor(i / width)) * this.width + x + (i % width));
        plane[i] = Math.min(255, offset + r * rgba[at]! + g * rgba[at + 1]! + b * rgba[at + 2]!);
      }
    }
    const before = data.map((plane) => plane.slice());
    const strides = [width, width, width] as const;
    edit({ x, y, width, height, chromaIsHalved: false, data, strides, colours: EDIT_COLOURS });
    for (let i = 0; i < count; i += 1) {
      const luma = data[0][i]! - before[0]![i]!;
      const blue = data[1][i]! - before[1]![i]!;
      const red = data[2][i]! - before[2]![i]!;
      if ((luma | blue | red) === 0) continue;
      const at = 4 * ((y + Math.floor(i / width)) * this.width + x + (i % width));
      const add = (to: number, step: number): void => {
        rgba[to] = Math.max(0, Math.min(255, Math.round(rgba[to]! + step)));
      };
      add(at, luma + CHROMA_TO_RGB.rCr * red);
      add(at + 1, luma + CHROMA_TO_RGB.gCb * blue + CHROMA_TO_RGB.gCr * red);
      add(at + 2, luma + CHROMA_TO_RGB.bCb * blue);
    }
  }

  addLevels(levels: Int8Array): void {
    const rgba = this.#rgba;
    for (let k = 0; k < levels.length; k += 1)
      for (let at = 4 * k; at < 4 * k + 3; at += 1)
        rgba[at] = Math.max(0, Math.min(255, rgba[at]! + levels[k]!));
  }

  stamp(stamp: Stamp): void {
    const samples = (channel: number): Samples => ({
      data: this.#rgba,
      start: 4 * (stamp.y * this.width + stamp.x) + channel,
      rowStride: 4 * this.width,
      step: 4,
    });
    const weights = stampAlpha(stamp, samples(3));
    for (const channel of [0, 1, 2]) stampSamples(samples(channel), stamp, weights, (i) => stamp.levels[i]!);
  }

  reducedRgb(maxSide: number): { image: RgbImage; factor: number } {
    const factor = Math.max(1, Math.ceil(Math.max(this.width, this.height) / maxSide));
    return {
      image: this.reducedRegion({ x: 0, y: 0, width: this.width, height: this.height }, factor),
      factor,
    };
  }

  reducedRegion(rect: FrameRect, factor: number): RgbImage {
    if (factor === 1) return this.rgb(rect);
    const region = clipRegion(rect, this.width, this.height);
    const width = Math.floor(region.width / factor);
    const height = Math.floor(region.height / factor);
    const data = new Uint8Array(width * height * 3);
    const offsets = sampleOffsets(factor);
    const samples = offsets.length * offsets.length;
    for (let y = 0, to = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1, to += 3) {
        let r = 0;
        let g = 0;
        let b = 0;
        for (const down of offsets) {
          const row = (region.y + y * factor + down) * this.width + region.x + x * factor;
          for (const across of offsets) {
            const at = (row + across) * 4;
            r += this.#rgba[at]!;
            g += this.#rgba[at + 1]!;
            b += this.#rgba[at + 2]!;
          }
        }
        data[to] = r / samples;
        data[to + 1] = g / samples;
        data[to + 2] = b / samples;
      }
    }
    return { data, width, height };
  }
}
