import type { RgbImage } from '@guise/kernels/image.ts';
import type { Frame } from 'node-av/lib';
import { colourMatrix, type ColourMatrix } from './colour.ts';
import type { FrameRect, LumaPlane, MediaFrame, YuvPlanes } from './video-types.ts';
import { addRgbDifference, reducedToRgb, regionToRgb, type Region, type Yuv420 } from './yuv-region.ts';

const FULL_RANGE = 2;

/** Where a frame's planes live: memory that a decoder owns, or a buffer of ours. */
export interface PlaneStore {
  planes: readonly Uint8Array[];
  strides: readonly number[];
  width: number;
  height: number;
  /** Called before the first write; gives planes that nobody else reads. */
  makeWritable(): readonly Uint8Array[];
}

/** A frame in 4:2:0; see `MediaFrame`. Every view dies with `release`. */
export class YuvFrame implements MediaFrame {
  readonly index: number;
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly #matrix: ColourMatrix;
  #store: PlaneStore | null;
  #planes: readonly Uint8Array[];
  #writable = false;
  #read: { region: Region; data: Uint8Array } | null = null;

  constructor(store: PlaneStore, matrix: ColourMatrix, index: number, timeSeconds: number) {
    this.#store = store;
    this.#planes = store.planes;
    this.#matrix = matrix;
    this.index = index;
    this.timeSeconds = timeSeconds;
    this.width = store.width;
    this.height = store.height;
  }

  get planes(): YuvPlanes {
    return { data: this.#planes, strides: this.#alive().strides, subsampling: '4:2:0' };
  }

  luma(): LumaPlane {
    const { strides } = this.#alive();
    return { data: this.#planes[0]!, stride: strides[0]!, width: this.width, height: this.height };
  }

  rgb(rect: FrameRect): RgbImage {
    const region = clipRegion(rect, this.width, this.height);
    const data = new Uint8Array(region.width * region.height * 3);
    if (data.length > 0) regionToRgb(this.#yuv(), this.#matrix, region, data);
    // The caller edits its own copy; the commit needs what was read.
    this.#read = { region, data };
    return { data: data.slice(), width: region.width, height: region.height };
  }

  commitRgb(rect: FrameRect, image: RgbImage): void {
    const region = clipRegion(rect, this.width, this.height);
    checkSize(region, image);
    if (image.data.length === 0) return;
    if (this.#read === null || !sameRegion(this.#read.region, region)) this.rgb(rect);
    const before = this.#read!.data;
    if (!this.#writable) {
      this.#planes = this.#alive().makeWritable();
      this.#writable = true;
    }
    addRgbDifference(this.#yuv(), this.#matrix, region, before, image.data);
    this.#read = null;
  }

  reducedRgb(maxSide: number): { image: RgbImage; factor: number } {
    const factor = Math.max(1, Math.ceil(Math.max(this.width, this.height) / maxSide));
    const width = Math.floor(this.width / factor);
    const height = Math.floor(this.height / factor);
    const data = new Uint8Array(width * height * 3);
    reducedToRgb(this.#yuv(), this.#matrix, factor, data);
    return { image: { data, width, height }, factor };
  }

  reducedRegion(rect: FrameRect, factor: number): RgbImage {
    const region = clipRegion(rect, this.width, this.height);
    const width = Math.floor(region.width / factor);
    const height = Math.floor(region.height / factor);
    const data = new Uint8Array(width * height * 3);
    if (data.length > 0) reducedToRgb(this.#yuv(), this.#matrix, factor, data, region);
    return { data, width, height };
  }

  /** The decoder's memory goes back now; a frame kept for longer throws instead of reading freed memory. */
  release(): void {
    this.#store = null;
    this.#planes = [];
    this.#read = null;
  }

  #yuv(): Yuv420 {
    const { strides } = this.#alive();
    return { planes: this.#planes, strides, width: this.width, height: this.height };
  }

  #alive(): PlaneStore {
    if (this.#store === null) throw new Error('A frame was used after its callback.');
    return this.#store;
  }
}

/** Wraps a decoded frame (yuv420p or yuva420p, either range) without copying it. */
export function wrapAvFrame(frame: Frame, index: number, timeSeconds: number): YuvFrame {
  const matrix = colourMatrix(frame.colorSpace, frame.colorRange === FULL_RANGE, frame.width, frame.height);
  const store: PlaneStore = {
    planes: frame.data ?? [],
    strides: frame.linesize,
    width: frame.width,
    height: frame.height,
    makeWritable: () => {
      // A decoder may still predict from these pixels: they are copied then, once, and only for an edited frame.
      if (!frame.isWritable && frame.makeWritable() < 0) throw new Error('out of memory for a frame');
      const planes = frame.data ?? [];
      // A copy may have other row lengths.
      store.strides = frame.linesize;
      return planes;
    },
  };
  return new YuvFrame(store, matrix, index, timeSeconds);
}

/** The part of a rectangle inside the frame, on whole pixels; empty ones come out with zero sides. */
export function clipRegion(rect: FrameRect, width: number, height: number): Region {
  const x = Math.min(width, Math.max(0, Math.floor(rect.x)));
  const y = Math.min(height, Math.max(0, Math.floor(rect.y)));
  const right = Math.min(width, Math.max(x, Math.ceil(rect.x + rect.width)));
  const bottom = Math.min(height, Math.max(y, Math.ceil(rect.y + rect.height)));
  return { x, y, width: right - x, height: bottom - y };
}

export function checkSize(region: Region, image: RgbImage): void {
  if (image.width !== region.width || image.height !== region.height) {
    throw new RangeError(
      `The image is ${image.width} x ${image.height}, its region ${region.width} x ${region.height}.`,
    );
  }
}

function sameRegion(a: Region, b: Region): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
