import { invertAffine } from '@guise/kernels/affine.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { type Ramp, ramp } from '@guise/kernels/ramp.ts';
import type { Stencil } from '../mesh/draw/allowance.ts';
import type { ChangedCrop } from './crop.ts';

/**
 * Distance from the crop's edge, as a share of its side. 0 at `from`: nothing changes; 1 at `to`.
 */
const EDGE: Ramp = { from: 0, to: 0.05 };
/** Divisor of the crop's side: the radius beyond which a change is one of tone or light. */
const TONE_REACH = 24;
/**
 * Divisor of the crop's side: the radius in which changed lines make the target's own detail go.
 */
const DETAIL_REACH = 64;
/**
 * Mean change of lines, levels. 0 at `from`: the target's detail, finer than the crop, still fits;
 * 1 at `to`: it belongs to a brow or a lid that is no longer there.
 */
const CHANGED_LINES: Ramp = { from: 2, to: 8 };

/** Side of the grid in which tones are compared. */
const TONE_SIDE = 64;
/** Radius of the face's rim, texels of that grid. */
const RIM_RADIUS = 2;
/** Mean of the stencil around a texel. 0 at `from`: it is inside; 1 at `to`: it is at the rim. */
const RIM: Ramp = { from: 0.98, to: 0.8 };
/**
 * Distance from the crop's middle, as a share of its side, from which a rim is that of the face.
 * Nearer ones are those of glasses or hands.
 */
const OUTER: Ramp = { from: 0.25, to: 0.35 };

/**
 * Adds what a network changed to the picture, in place. Where it changed nothing, every pixel stays
 * as it is. The crop may be coarser than the picture: detail that the network never saw stays on
 * skin, and goes where the lines under it have changed.
 * @param image the picture before the change @param data its copy, or its own pixels
 * @param toneShare 0..1: how much the face's tone stays the target's, so that it has no edge
 */
export function pasteCrop(
  image: RgbImage,
  crop: ChangedCrop,
  stencil: Stencil,
  toneShare: number,
  data: Uint8Array,
): void {
  const { side, levels, changed, toImage } = crop;
  const [a, b, c, d, e, f] = invertAffine(toImage);
  const lost = lostDetail(crop);
  const tones = rimTones(crop, stencil, toneShare);
  const plane = side * side;
  for (let row = 0; row < stencil.height; row++) {
    for (let column = 0; column < stencil.width; column++) {
      const allowed = stencil.allowance[row * stencil.width + column]!;
      if (allowed === 0) continue;
      const x = stencil.x + column;
      const y = stencil.y + row;
      const u = a * (x + 0.5) + b * (y + 0.5) + c;
      const v = d * (x + 0.5) + e * (y + 0.5) + f;
      const share = allowed * ramp(EDGE, Math.min(u, v, side - u, side - v) / side);
      if (share === 0) continue;
      const fine = bilinear(u, v, side);
      const coarse = bilinear((u * TONE_SIDE) / side, (v * TONE_SIDE) / side, TONE_SIDE);
      const gone = sample(lost, 0, fine);
      const pixel = 3 * (y * image.width + x);
      for (let k = 0; k < 3; k++) {
        const own = image.data[pixel + k]!;
        const before = sample(levels, k * plane, fine);
        const step = sample(changed, k * plane, fine) - before - sample(tones[k]!, 0, coarse);
        data[pixel + k] = Math.min(
          255,
          Math.max(0, Math.round(own + share * (step - gone * (own - before)))),
        );
      }
    }
  }
}

/** Place between four texels of a square plane. */
interface Between {
  /** Index of the one above and to the left. */
  readonly at: number;
  readonly side: number;
  /** Shares of the right and of the lower ones. */
  readonly right: number;
  readonly below: number;
}

function bilinear(u: number, v: number, side: number): Between {
  const x = Math.min(side - 1, Math.max(0, u - 0.5));
  const y = Math.min(side - 1, Math.max(0, v - 0.5));
  const left = Math.min(side - 2, Math.floor(x));
  const top = Math.min(side - 2, Math.floor(y));
  return { at: top * side + left, side, right: x - left, below: y - top };
}

/** Samples a plane that begins at `from`. */
function sample(values: Float32Array, from: number, { at, side, right, below }: Between): number {
  const k = from + at;
  return (
    (values[k]! * (1 - right) + values[k + 1]! * right) * (1 - below) +
    (values[k + side]! * (1 - right) + values[k + side + 1]! * right) * below
  );
}

/**
 * Measures how much the network changed the face's tone at its rim, and continues these steps
 * smoothly over the face. Without them, the face meets the neck and the hair in their own tone.
 * @returns three planes of `TONE_SIDE`, times `share`
 */
function rimTones(
  { side, levels, changed, toImage }: ChangedCrop,
  stencil: Stencil,
  share: number,
): Float32Array[] {
  const count = TONE_SIDE * TONE_SIDE;
  const planes = [0, 1, 2].map(() => new Float32Array(count));
  const inside = new Float32Array(count);
  const [a, b, c, d, e, f] = toImage;
  const step = side / TONE_SIDE;
  for (let i = 0; i < count; i++) {
    const u = ((i % TONE_SIDE) + 0.5) * step;
    const v = (Math.floor(i / TONE_SIDE) + 0.5) * step;
    const column = Math.floor(a * u + b * v + c) - stencil.x;
    const row = Math.floor(d * u + e * v + f) - stencil.y;
    if (column >= 0 && row >= 0 && column < stencil.width && row < stencil.height)
      inside[i] = stencil.allowance[row * stencil.width + column]!;
    const place = bilinear(u, v, side);
    planes.forEach((plane, k) => {
      plane[i] = share * (sample(changed, k * side * side, place) - sample(levels, k * side * side, place));
    });
  }
  const around = inside.slice();
  boxBlur(around, TONE_SIDE, TONE_SIDE, RIM_RADIUS);
  const middle = (TONE_SIDE - 1) / 2;
  const weight = inside.map((value, i) => {
    const distance = Math.hypot((i % TONE_SIDE) - middle, Math.floor(i / TONE_SIDE) - middle) / TONE_SIDE;
    return value * ramp(RIM, around[i]!) * ramp(OUTER, distance);
  });
  if (!weight.some((value) => value > 0)) return planes.map((plane) => plane.fill(0));
  pushPull(planes, weight, TONE_SIDE);
  return planes;
}

/** Returns the share, 0..1, of the target's own detail that goes in each texel of the crop. */
function lostDetail({ side, levels, changed }: ChangedCrop): Float32Array {
  const plane = side * side;
  const change = new Float32Array(plane);
  for (let i = 0; i < plane; i++) {
    const red = changed[i]! - levels[i]!;
    const green = changed[i + plane]! - levels[i + plane]!;
    const blue = changed[i + 2 * plane]! - levels[i + 2 * plane]!;
    change[i] = 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  const tone = change.slice();
  boxBlur(tone, side, side, Math.ceil(side / TONE_REACH));
  for (let i = 0; i < plane; i++) change[i] = Math.abs(change[i]! - tone[i]!);
  boxBlur(change, side, side, Math.ceil(side / DETAIL_REACH));
  return change.map((value) => ramp(CHANGED_LINES, value));
}
