import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { halvedWeights, type Samples, type Stamp, stampAlpha, stampSamples } from '@guise/kernels/stamp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { addLevels } from '@guise/kernels/yuv/add-levels.ts';
import type { Yuv420, YuvRegion } from '@guise/kernels/yuv/yuv-region.ts';
import { addRgbDifference, regionToRgb } from '@guise/kernels/yuv/yuv-region.ts';
import type { Frame } from 'node-av/lib';
import { colourMatrix, planeColours, type ColourMatrix } from './colour.ts';
import type { FrameRect, LumaPlane, MediaFrame, YuvPlanes } from './video-types.ts';
import { reducedToRgb } from './reduced-rgb.ts';

/** FFmpeg's number for full range (`AVCOL_RANGE_JPEG`). */
const FULL_COLOUR_RANGE = 2;

/** Memory of a frame's planes. Only the frame reads it until the frame is released. */
export interface PlaneStore {
  planes: readonly Uint8Array[];
  strides: readonly number[];
  width: number;
  height: number;
}

/** A frame in 4:2:0; see `MediaFrame`. All views become invalid at `release`. */
export class YuvFrame implements MediaFrame {
  readonly index: number;
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly #matrix: ColourMatrix;
  #store: PlaneStore | null;
  #read: { region: YuvRegion; data: Uint8Array } | null = null;

  constructor(store: PlaneStore, matrix: ColourMatrix, index: number, timeSeconds: number) {
    this.#store = store;
    this.#matrix = matrix;
    this.index = index;
    this.timeSeconds = timeSeconds;
    this.width = store.width;
    this.height = store.height;
  }

  get planes(): YuvPlanes {
    const { planes, strides } = this.#alive();
    return { data: planes, strides, subsampling: '4:2:0' };
  }

  luma(): LumaPlane {
    const { planes, strides } = this.#alive();
    return { data: planes[0]!, stride: strides[0]!, width: this.width, height: this.height };
  }

  rgb(rect: FrameRect): RgbImage {
    const region = clipRegion(rect, this.width, this.height);
    const data = new Uint8Array(region.width * region.height * 3);
    if (data.length > 0) regionToRgb(this.#yuv(), this.#matrix, region, data);
    // The caller edits its own copy, because the commit needs the pixels that were read.
    this.#read = { region, data };
    return { data: data.slice(), width: region.width, height: region.height };
  }

  commitRgb(rect: FrameRect, image: RgbImage): void {
    const region = clipRegion(rect, this.width, this.height);
    checkSize(region, image);
    if (image.data.length === 0) return;
    if (this.#read === null || !sameRegion(this.#read.region, region)) this.rgb(rect);
    const before = this.#read!.data;
    addRgbDifference(this.#yuv(), this.#matrix, region, before, image.data);
    this.#read = null;
  }

  edit(rect: FrameRect, edit: (planes: FramePlanes) => void): void {
    const { x: left, y: top, width, height } = clipRegion(rect, this.width, this.height);
    if (width === 0 || height === 0) return;
    const x = left & ~1;
    const y = top & ~1;
    const right = Math.min(this.width, (left + width + 1) & ~1);
    const bottom = Math.min(this.height, (top + height + 1) & ~1);
    const { planes, strides } = this.#alive();
    const [luma, blue, red] = planes as [Uint8Array, Uint8Array, Uint8Array];
    const [lumaStride, blueStride, redStride] = strides as [number, number, number];
    edit({
      x,
      y,
      width: right - x,
      height: bottom - y,
      chromaIsHalved: true,
      data: [
        luma.subarray(y * lumaStride + x),
        blue.subarray((y >> 1) * blueStride + (x >> 1)),
        red.subarray((y >> 1) * redStride + (x >> 1)),
      ],
      strides: [lumaStride, blueStride, redStride],
      colours: planeColours(this.#matrix),
    });
    this.#read = null;
  }

  addLevels(levels: Int8Array): void {
    const { planes, strides } = this.#alive();
    addLevels(planes[0]!, strides[0]!, levels, this.width, this.height);
    this.#read = null;
  }

  stamp(stamp: Stamp): void {
    const { planes, strides } = this.#alive();
    const samples = (plane: number, halved: 0 | 1): Samples => {
      const rowStride = strides[plane]!;
      const start = (stamp.y >> halved) * rowStride + (stamp.x >> halved);
      return { data: planes[plane]!, start, rowStride, step: 1 };
    };
    const { offset, weights } = planeColours(this.#matrix);
    const white = weights[0]! + weights[1]! + weights[2]!;
    const shares = stampAlpha(stamp, planes.length > 3 ? samples(3, 0) : null);
    stampSamples(samples(0, 0), stamp, shares, (i) => offset[0] + white * stamp.levels[i]!);
    const half = { width: stamp.width / 2, height: stamp.height / 2 };
    const halfShares = halvedWeights(shares, stamp);
    for (const plane of [1, 2] as const)
      stampSamples(samples(plane, 1), half, halfShares, () => offset[plane]);
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

  reducedRegion(rect: FrameRect, factor: number, make: PlaneMaker = ordinaryPlanes): RgbImage {
    const region = clipRegion(rect, this.width, this.height);
    const width = Math.floor(region.width / factor);
    const height = Math.floor(region.height / factor);
    const data = make.uninitialisedBytes(width * height * 3);
    if (data.length > 0) reducedToRgb(this.#yuv(), this.#matrix, factor, data, region);
    return { data, width, height };
  }

  /**
   * Gives the memory back to the decoder. If the frame is used later, it throws instead of reading
   * freed memory.
   */
  release(): void {
    this.#store = null;
    this.#read = null;
  }

  #yuv(): Yuv420 {
    return this.#alive();
  }

  #alive(): PlaneStore {
    if (this.#store === null) throw new Error('A frame was used after its callback.');
    return this.#store;
  }
}

/** Wraps a frame of ours (yuv420p or yuva420p, either range; see `FramePool`) without a copy. */
export function wrapAvFrame(frame: Frame, index: number, timeSeconds: number): YuvFrame {
  const { width, height } = frame;
  const matrix = colourMatrix(frame.colorSpace, frame.colorRange === FULL_COLOUR_RANGE, width, height);
  return new YuvFrame(
    { planes: (frame.data ?? []).map(bytesOf), strides: frame.linesize, width, height },
    matrix,
    index,
    timeSeconds,
  );
}

/** Returns a plain array of the same memory, because rows of a `Buffer` cost ten times as much. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Returns the part of a rectangle inside the frame, on whole pixels. An empty part has sides of 0.
 */
export function clipRegion(rect: FrameRect, width: number, height: number): YuvRegion {
  const x = Math.min(width, Math.max(0, Math.floor(rect.x)));
  const y = Math.min(height, Math.max(0, Math.floor(rect.y)));
  const right = Math.min(width, Math.max(x, Math.ceil(rect.x + rect.width)));
  const bottom = Math.min(height, Math.max(y, Math.ceil(rect.y + rect.height)));
  return { x, y, width: right - x, height: bottom - y };
}

export function checkSize(region: YuvRegion, image: RgbImage): void {
  if (image.width !== region.width || image.height !== region.height) {
    throw new RangeError(
      `The image is ${image.width} x ${image.height}, its region ${region.width} x ${region.height}.`,
    );
  }
}

function sameRegion(a: YuvRegion, b: YuvRegion): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
