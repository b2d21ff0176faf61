import type { Ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { reduceLuma } from '@guise/kernels/yuv/reduce-region.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { MeshRecord } from '../geometry/mesh-record.ts';
import type { LumaView } from '../frame/scene-cuts.ts';
import type { SurfaceSamples } from './surface-samples.ts';

/** Approximate size to which a larger face is reduced, pixels. */
const PATCH_FACE_PX = 150;
/**
 * Margin around the mesh's box, in sizes of the face. Steadying and registration may move the mesh
 * this far.
 */
const MARGIN_SIZES = 0.08;
/**
 * Blur of the patch, in sizes of the face. Finer detail comes from compression; errors of a mesh
 * are coarser.
 */
const BLUR_SIZES = 1 / 72;
/** Factor of growth or shrinking from which a face gets another scale. */
const SCALE_TOLERANCE = 1.4;

/** How a face becomes a patch. Two patches can be registered only if their scales are equal. */
export interface PatchScale {
  /** Longer side of the face for which the scale was made, pixels of the frame. */
  readonly size: number;
  /** Number of frame pixels per patch pixel. */
  readonly factor: number;
  /** Radius of the blur, patch pixels. */
  readonly radius: number;
}

/** Returns the scale for a face of this size, or the previous scale if it is still suitable. */
export function patchScale(size: number, before: PatchScale | null): PatchScale {
  if (before !== null && size < before.size * SCALE_TOLERANCE && size > before.size / SCALE_TOLERANCE)
    return before;
  const factor = Math.max(1, Math.round(size / PATCH_FACE_PX));
  return { size, factor, radius: Math.max(1, Math.round((BLUR_SIZES * size) / factor)) };
}

/** The grey picture of a face, reduced and a little blurred, for registration. */
export class GreyPatch {
  scale: PatchScale = { size: 0, factor: 1, radius: 1 };
  width = 0;
  height = 0;
  /** First column and row of the frame. */
  left = 0;
  top = 0;
  data: Float32Array<ArrayBuffer> = new Float32Array(0);

  /** Takes the surroundings of a mesh from the frame. */
  take(luma: LumaView, { x, y, size }: MeshRecord, scale: PatchScale): void {
    const { factor, radius } = scale;
    const half = size * (0.5 + MARGIN_SIZES) + 2 * factor;
    this.scale = scale;
    this.left = Math.max(0, Math.floor(x - half));
    this.top = Math.max(0, Math.floor(y - half));
    this.width = Math.max(0, Math.floor((Math.min(luma.width, x + half) - this.left) / factor));
    this.height = Math.max(0, Math.floor((Math.min(luma.height, y + half) - this.top) / factor));
    const count = this.width * this.height;
    if (this.data.length < count) this.data = new Float32Array(count);
    if (count === 0) return;
    const { width, height, left, top } = this;
    using space = new Workspace();
    const small = space.uninitialised(count);
    const region = { x: left, y: top, width: width * factor, height: height * factor };
    reduceLuma(luma.data, luma.stride, region, factor, small);
    boxBlur(small, width, height, radius, 1);
    this.data.set(small);
  }
}

/**
 * Facing of a triangle, as a share of its area from the front, over which the weight of a point
 * rises in a straight line.
 */
const COUNTED_FACING: Ramp = { from: 0.1, to: 0.4 };

/** Values of a patch at the points of a face's surface. */
export class SkinView {
  /** Grey, and its slope per pixel of the patch. */
  readonly grey: Float32Array;
  readonly slopeX: Float32Array;
  readonly slopeY: Float32Array;
  /**
   * Weight of each point: 0 if it is turned away or outside the picture, 1 if it is well visible.
   */
  readonly weight: Float32Array;
  scale: PatchScale = { size: 0, factor: 1, radius: 1 };

  constructor(count: number) {
    this.grey = new Float32Array(count);
    this.slopeX = new Float32Array(count);
    this.slopeY = new Float32Array(count);
    this.weight = new Float32Array(count);
  }

  /** @param mesh 468 x (x, y, z), pixels of the frame, edge based @param size its longer side */
  read(samples: SurfaceSamples, patch: GreyPatch, mesh: Float32Array, size: number): void {
    const { count, corners, cornerShares, frontArea } = samples;
    const { width, height, data } = patch;
    this.scale = patch.scale;
    const scale = 1 / patch.scale.factor;
    const perArea = 1 / (size * size);
    for (let i = 0, k = 0; i < count; i++, k += 3) {
      const a = 3 * corners[k]!;
      const b = 3 * corners[k + 1]!;
      const c = 3 * corners[k + 2]!;
      const ax = mesh[a]!;
      const ay = mesh[a + 1]!;
      const ux = mesh[b]! - ax;
      const uy = mesh[b + 1]! - ay;
      const vx = mesh[c]! - ax;
      const vy = mesh[c + 1]! - ay;
      // y points down here and up in the canonical face, so the sign changes.
      const facing = ((uy * vx - ux * vy) * perArea) / frontArea[i]!;
      const x = (ax + cornerShares[k + 1]! * ux + cornerShares[k + 2]! * vx - patch.left) * scale - 0.5;
      const y = (ay + cornerShares[k + 1]! * uy + cornerShares[k + 2]! * vy - patch.top) * scale - 0.5;
      const column = Math.floor(x);
      const row = Math.floor(y);
      if (
        facing <= COUNTED_FACING.from ||
        column < 1 ||
        row < 1 ||
        column >= width - 2 ||
        row >= height - 2
      ) {
        this.weight[i] = 0;
        continue;
      }
      this.weight[i] = Math.min(
        1,
        (facing - COUNTED_FACING.from) / (COUNTED_FACING.to - COUNTED_FACING.from),
      );
      const at = row * width + column;
      const right = x - column;
      const lower = y - row;
      this.grey[i] = bilinear(data, width, at, right, lower);
      this.slopeX[i] =
        (bilinear(data, width, at + 1, right, lower) - bilinear(data, width, at - 1, right, lower)) / 2;
      this.slopeY[i] =
        (bilinear(data, width, at + width, right, lower) - bilinear(data, width, at - width, right, lower)) /
        2;
    }
  }
}

function bilinear(data: Float32Array, width: number, at: number, right: number, lower: number): number {
  const top = data[at]! + right * (data[at + 1]! - data[at]!);
  const bottom = data[at + width]! + right * (data[at + width + 1]! - data[at + width]!);
  return top + lower * (bottom - top);
}
