import { invertAffine } from '@guise/kernels/affine.ts';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { type Ramp, ramp } from '@guise/kernels/ramp.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import type { Stencil } from '../mesh/draw/allowance.ts';
import { type ChangedCrop, WHITE } from './crop.ts';

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
 * Adds what a network changed to a photo; see `changeOf`.
 * @param data the photo's copy, or its own pixels
 */
export function pasteCrop(
  image: RgbImage,
  crop: ChangedCrop,
  stencil: Stencil,
  toneShare: number,
  data: Uint8Array,
): void {
  const change = changeOf(image, crop, stencil, toneShare);
  const length = 3 * stencil.width;
  for (let row = 0; row < stencil.height; row++) {
    const at = 3 * ((stencil.y + row) * image.width + stencil.x);
    for (let k = 0; k < length; k++) {
      const step = change[row * length + k]!;
      if (step !== 0) data[at + k] = levelOf(image.data[at + k]! + step);
    }
  }
}

/** Adds what a network changed to a part of a video frame. @param change see `changeOf` */
export function pasteInFrame(planes: FramePlanes, change: Float32Array, stencil: Stencil): void {
  addToLuma(planes, change, stencil);
  addToChroma(planes, change, stencil, 1);
  addToChroma(planes, change, stencil, 2);
}

function addToLuma(
  { data: [luma], strides: [stride], colours: { weights } }: FramePlanes,
  change: Float32Array,
  { x, y, width, height }: Stencil,
): void {
  const red = weights[0]!;
  const green = weights[1]!;
  const blue = weights[2]!;
  for (let row = 0, at = 0; row < height; row++) {
    const to = (y + row) * stride + x;
    for (let column = 0; column < width; column++, at += 3) {
      const step = red * change[at]! + green * change[at + 1]! + blue * change[at + 2]!;
      if (step !== 0) luma[to + column] = levelOf(luma[to + column]! + step);
    }
  }
}

/** Adds to a plane of chroma. A halved sample is on an even column, and the mean of two rows. */
function addToChroma(
  { data, strides, colours: { weights }, chromaIsHalved }: FramePlanes,
  change: Float32Array,
  { x, y, width, height }: Stencil,
  plane: 1 | 2,
): void {
  const samples = data[plane];
  const red = weights[3 * plane]!;
  const green = weights[3 * plane + 1]!;
  const blue = weights[3 * plane + 2]!;
  const pace = chromaIsHalved ? 2 : 1;
  for (let row = y % pace; row < height; row += pace) {
    const to = ((y + row) / pace) * strides[plane];
    const under = row + pace - 1 < height ? 3 * width * (pace - 1) : 0;
    for (let column = x % pace; column < width; column += pace) {
      const at = 3 * (row * width + column);
      const step =
        (red * (change[at]! + change[at + under]!) +
          green * (change[at + 1]! + change[at + under + 1]!) +
          blue * (change[at + 2]! + change[at + under + 2]!)) /
        2;
      const place = to + (x + column) / pace;
      if (step !== 0) samples[place] = levelOf(samples[place]! + step);
    }
  }
}

function levelOf(value: number): number {
  return value <= 0 ? 0 : value >= WHITE ? WHITE : Math.round(value);
}

/**
 * Computes how each pixel of the stencil changes: its steps of red, green and blue, row by row.
 * Where the network changed nothing, all are 0. The crop may be coarser than the picture: detail
 * that the network never saw stays on skin, and goes where the lines under it have changed.
 * @param image the picture before the change
 * @param toneShare 0..1: how much the face's tone stays the target's, so that it has no edge
 */
export function changeOf(
  image: RgbImage,
  crop: ChangedCrop,
  stencil: Stencil,
  toneShare: number,
): Float32Array {
  const { side, toImage } = crop;
  const [a, b, c, d, e, f] = invertAffine(toImage);
  const steps = stepsOf(crop, rimTones(crop, stencil, toneShare));
  const change = new Float32Array(3 * stencil.width * stencil.height);
  const last = side - 1;
  for (let row = 0; row < stencil.height; row++) {
    const y = stencil.y + row;
    for (let column = 0; column < stencil.width; column++) {
      const allowed = stencil.allowance[row * stencil.width + column]!;
      if (allowed === 0) continue;
      const x = stencil.x + column;
      const u = a * (x + 0.5) + b * (y + 0.5) + c;
      const v = d * (x + 0.5) + e * (y + 0.5) + f;
      const share = allowed * ramp(EDGE, Math.min(u, v, side - u, side - v) / side);
      if (share === 0) continue;
      // The four texels around (u, v), and their shares.
      const s = Math.min(last, Math.max(0, u - 0.5));
      const t = Math.min(last, Math.max(0, v - 0.5));
      const left = Math.min(last - 1, Math.floor(s));
      const top = Math.min(last - 1, Math.floor(t));
      const at = 4 * (top * side + left);
      const under = at + 4 * side;
      const right = s - left;
      const below = t - top;
      const n = right * below;
      const q = right - n;
      const m = below - n;
      const p = 1 - right - m;
      const gone = p * steps[at + 3]! + q * steps[at + 7]! + m * steps[under + 3]! + n * steps[under + 7]!;
      const pixel = 3 * (y * image.width + x);
      const out = 3 * (row * stencil.width + column);
      for (let k = 0; k < 3; k++) {
        const step =
          p * steps[at + k]! + q * steps[at + k + 4]! + m * steps[under + k]! + n * steps[under + k + 4]!;
        change[out + k] = share * (step - gone * image.data[pixel + k]!);
      }
    }
  }
  return change;
}

/**
 * Puts what the picture needs of each texel side by side: the steps of red, green and blue, and the
 * share by which the picture's own level goes.
 * @param tones to take off the network's change, of `TONE_SIDE`
 */
function stepsOf(crop: ChangedCrop, tones: readonly Float32Array[]): Float32Array {
  const { side, levels, changed } = crop;
  const count = side * side;
  const lost = lostDetail(crop);
  const steps = new Float32Array(4 * count);
  for (let k = 0; k < 3; k++) {
    const tone = enlargeSquare(tones[k]!, TONE_SIDE, side / TONE_SIDE);
    for (let i = 0; i < count; i++) {
      const level = levels[k * count + i]!;
      steps[4 * i + k] = changed[k * count + i]! - level - tone[i]! + lost[i]! * level;
    }
  }
  for (let i = 0; i < count; i++) steps[4 * i + 3] = lost[i]!;
  return steps;
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
    const at = Math.floor(v) * side + Math.floor(u);
    for (let k = 0; k < 3; k++)
      planes[k]![i] = share * (changed[k * side * side + at]! - levels[k * side * side + at]!);
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
    change[i] = lumaOf(red, green, blue);
  }
  const tone = change.slice();
  boxBlur(tone, side, side, Math.ceil(side / TONE_REACH));
  for (let i = 0; i < plane; i++) change[i] = Math.abs(change[i]! - tone[i]!);
  boxBlur(change, side, side, Math.ceil(side / DETAIL_REACH));
  return change.map((value) => ramp(CHANGED_LINES, value));
}
