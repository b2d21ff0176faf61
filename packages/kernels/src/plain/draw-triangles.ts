import type { ColourPlanes } from '../colour-planes.ts';
import { grainAt } from '../grain.ts';
import type { RgbImage } from '../image.ts';
import { OPAQUE } from '../opaque.ts';
import type { TriangleSpans } from '../triangle-spans.ts';

/**
 * A texture of `side * side * 4` values: red, green and blue in 64ths of a level, and opacity in
 * 32,767ths.
 */
export interface PackedTexture {
  readonly side: number;
  readonly rgba: Int16Array;
}

/** Flags a triangle on which the texture is drawn. */
export const PAINTED = 1;

/** Flags a triangle in which the target's own pixels do not move. */
export const STILL = 2;

/** Triangles of a texture that is drawn over a picture, whose own pixels move along. */
export interface Drawing {
  readonly texture: PackedTexture;
  readonly target: RgbImage;
  /** Area to draw in: whole pixels inside the target. */
  readonly area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Runs of the triangles in the area. Later triangles cover earlier ones. */
  readonly spans: TriangleSpans;
  /**
   * Twelve numbers per triangle: the texel (u, v) and the target's pixel (x, y) at a place of the
   * area, each as `m[0] column + m[1] row + m[2]`. Coordinates are edge based. Pixels lie in the
   * area, or at most one pixel beside it.
   */
  readonly maps: Float64Array;
  readonly flags: Uint8Array;
  /** Share by which each pixel of the area may change, 0..1. */
  readonly allowance: Float32Array;
  /**
   * Standard deviation of the noise added to the texture, in levels. The noise depends only on the
   * seed and the pixel.
   */
  readonly grain: number;
  readonly grainSeed: number;
}

/** Number of columns between the noise of one seed and that of the next, a prime. */
export const SEED_STEP = 7919;

/** Levels in one step of a packed colour. */
const LEVELS_PER_STEP = 1 / 64;

/** Opacity in one step of a packed opacity. */
const OPACITY_PER_STEP = 1 / 32_767;

/** Reference version of the kernel in ../face/draw-triangles.ts. */
export function drawTriangles(drawing: Drawing, out: Uint8Array): void {
  const { target, area, spans, flags, allowance, grain } = drawing;
  const { side, rgba } = drawing.texture;
  const from = target.data;
  const lastX = target.width - 1;
  const lastY = target.height - 1;
  const stride = target.width * 3;
  const lastTexel = side - 1;
  const grainX = area.x + drawing.grainSeed * SEED_STEP;
  for (let t = 0; t < flags.length; t++) {
    const m = drawing.maps.subarray(12 * t, 12 * t + 12);
    const isPainted = (flags[t]! & PAINTED) !== 0;
    const isStill = (flags[t]! & STILL) !== 0;
    for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
      const row = spans.row[run]!;
      const left = spans.left[run]!;
      const right = spans.right[run]!;
      const py = row + 0.5;
      const px = left + 0.5;
      let u = m[0]! * px + m[1]! * py + m[2]! - 0.5;
      let v = m[3]! * px + m[4]! * py + m[5]! - 0.5;
      let x = m[6]! * px + m[7]! * py + m[8]! - 0.5;
      let y = m[9]! * px + m[10]! * py + m[11]! - 0.5;
      let at = ((row + area.y) * target.width + left + area.x) * 3;
      let cell = row * area.width + left;
      for (let column = left; column < right; column++, at += 3, cell++) {
        const allowed = allowance[cell]!;
        if (allowed > 0) {
          const cu = u < 0 ? 0 : u > lastTexel ? lastTexel : u;
          const cv = v < 0 ? 0 : v > lastTexel ? lastTexel : v;
          const iu = cu | 0;
          const iv = cv | 0;
          const fu = cu - iu;
          const fv = cv - iv;
          const p = (iv * side + iu) * 4;
          const q = iu < lastTexel ? p + 4 : p;
          const down = iv < lastTexel ? side * 4 : 0;
          const t00 = (1 - fu) * (1 - fv);
          const t10 = fu * (1 - fv);
          const t01 = (1 - fu) * fv;
          const t11 = fu * fv;
          const opacity = isPainted
            ? OPACITY_PER_STEP *
              (rgba[p + 3]! * t00 +
                rgba[q + 3]! * t10 +
                rgba[p + 3 + down]! * t01 +
                rgba[q + 3 + down]! * t11)
            : 0;
          let red: number;
          let green: number;
          let blue: number;
          // Pixels under an opaque face are invisible, so they are not computed.
          if (isStill || opacity > OPAQUE) {
            red = from[at]!;
            green = from[at + 1]!;
            blue = from[at + 2]!;
          } else {
            const cx = x < 0 ? 0 : x > lastX ? lastX : x;
            const cy = y < 0 ? 0 : y > lastY ? lastY : y;
            const ix = cx | 0;
            const iy = cy | 0;
            const fx = cx - ix;
            const fy = cy - iy;
            const i = iy * stride + ix * 3;
            const j = ix < lastX ? i + 3 : i;
            const below = iy < lastY ? stride : 0;
            const w00 = (1 - fx) * (1 - fy);
            const w10 = fx * (1 - fy);
            const w01 = (1 - fx) * fy;
            const w11 = fx * fy;
            red = from[i]! * w00 + from[j]! * w10 + from[i + below]! * w01 + from[j + below]! * w11;
            green =
              from[i + 1]! * w00 +
              from[j + 1]! * w10 +
              from[i + 1 + below]! * w01 +
              from[j + 1 + below]! * w11;
            blue =
              from[i + 2]! * w00 +
              from[j + 2]! * w10 +
              from[i + 2 + below]! * w01 +
              from[j + 2 + below]! * w11;
          }
          if (opacity > 0) {
            const noise = grain > 0 ? grain * grainAt(column + grainX, row + area.y) : 0;
            const newRed = rgba[p]! * t00 + rgba[q]! * t10 + rgba[p + down]! * t01 + rgba[q + down]! * t11;
            const newGreen =
              rgba[p + 1]! * t00 + rgba[q + 1]! * t10 + rgba[p + 1 + down]! * t01 + rgba[q + 1 + down]! * t11;
            const newBlue =
              rgba[p + 2]! * t00 + rgba[q + 2]! * t10 + rgba[p + 2 + down]! * t01 + rgba[q + 2 + down]! * t11;
            red += opacity * (newRed * LEVELS_PER_STEP + noise - red);
            green += opacity * (newGreen * LEVELS_PER_STEP + noise - green);
            blue += opacity * (newBlue * LEVELS_PER_STEP + noise - blue);
          }
          if (allowed < 1) {
            red = from[at]! + allowed * (red - from[at]!);
            green = from[at + 1]! + allowed * (green - from[at + 1]!);
            blue = from[at + 2]! + allowed * (blue - from[at + 2]!);
          }
          out[at] = red <= 0 ? 0 : red >= 255 ? 255 : red + 0.5;
          out[at + 1] = green <= 0 ? 0 : green >= 255 ? 255 : green + 0.5;
          out[at + 2] = blue <= 0 ? 0 : blue >= 255 ? 255 : blue + 0.5;
        }
        u += m[0]!;
        v += m[3]!;
        x += m[6]!;
        y += m[9]!;
      }
    }
  }
}

/** Reference version of the kernel in ../face/draw-triangles.ts. */
export function packTexture(planes: ColourPlanes, opacity: Float32Array, rgba: Int16Array): void {
  const { luma, blue, red } = planes;
  for (let i = 0, o = 0; i < luma.length; i++, o += 4) {
    const y = luma[i]!;
    const r = y + red[i]! * (1 / 0.713);
    const b = y + blue[i]! * (1 / 0.564);
    rgba[o] = fixed(r);
    rgba[o + 1] = fixed((y - 0.299 * r - 0.114 * b) * (1 / 0.587));
    rgba[o + 2] = fixed(b);
    rgba[o + 3] = Math.round(32_767 * opacity[i]!);
  }
}

function fixed(value: number): number {
  return Math.round(64 * (value < -64 ? -64 : value > 319 ? 319 : value));
}
