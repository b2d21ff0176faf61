import { ramp } from '@guise/kernels/ramp.ts';
import type { FramePlanes, PlaneColours } from '@guise/kernels/frame-planes.ts';
import type { Atlas } from '../uv/atlas.ts';
import { atlasRgb } from '../uv/atlas-rgb.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Eye } from '../match/eye.ts';
import { eyeOf } from '../match/eye.ts';
import {
  GLINT_LUMA,
  IRIS_COLOUR_SHARE,
  RING_INNER,
  RING_OUTER,
  irisTexels,
  likelyColour,
  meanColour,
  SEEN_OPENING,
} from '../match/iris-ring.ts';
import type { SourceFace } from '../source/source-face.ts';
import { EYES } from '../uv/face-regions.ts';
import { clamp } from '@guise/kernels/clamp.ts';

/**
 * Time constant by which the target's own colour is smoothed, because lids and reflections disturb
 * it.
 */
const OWN_COLOUR_SECONDS = 0.5;
/** Radius of an iris below which its colour is invisible. */
const MIN_RADIUS_PX = 1.5;

type Colour = [luma: number, blue: number, red: number];

/**
 * Gives the target's eyes the source's iris colour. The eyes keep their gaze, blinks, pupils,
 * reflections and shade. The difference of both irises' mean colours is added to the ring between
 * pupil and rim, in the frame's own planes.
 */
export class TrackIrises {
  /** Texels of the source's rings, of each eye that is open enough. */
  readonly #rings: readonly number[];
  /** Colour of the source's ring in the target's light: Rec. 601, colour differences around 0. */
  #wanted: Colour | null = null;
  /** Mean colour of the target's ring in each eye, as the planes store it. */
  readonly #own: (Colour | null)[] = EYES.map(() => null);
  #weight = new Float32Array(0);
  /** Whether the source's eyes are guessed. Glasses hide how dark its irises are. */
  readonly #isDoubtful: boolean;

  /** @param source `eyes` are landmarks of the atlas, 478 x (x, y, z), in pixels of their image */
  constructor(layout: AtlasLayout, source: Pick<SourceFace, 'eyes' | 'hasDoubtfulEyes'>) {
    this.#rings = irisTexels(layout, source.eyes);
    this.#isDoubtful = source.hasDoubtfulEyes;
  }

  /**
   * Moves the wanted colour towards that of the source's irises in a new light.
   * @param lit the source's atlas in the target's light
   * @param ease 0..1: share of the way from the previous colour
   */
  relight(lit: Atlas, ease: number): void {
    const now = meanColour(lit, this.#rings);
    if (now === null) return;
    const before = this.#wanted ?? now;
    this.#wanted = now.map((value, k) => before[k]! + ease * (value - before[k]!)) as Colour;
  }

  /**
   * Changes the target's own eyes before the face is drawn around them.
   * @param landmarks 478 x (x, y, z), pixels of the planes' part
   * @param isFresh whether the colours read so far belong to another scene
   */
  draw(
    planes: FramePlanes,
    landmarks: Float32Array,
    { opacity, elapsedSeconds, isFresh }: { opacity: number; elapsedSeconds: number; isFresh: boolean },
  ): void {
    if (this.#wanted === null) return;
    const wanted = stored(this.#wanted, planes.colours);
    for (const [k, shape] of EYES.entries()) {
      if (isFresh) this.#own[k] = null;
      const eye = eyeOf(landmarks, shape);
      const share = ramp(SEEN_OPENING, eye.opening);
      if (share === 0 || eye.radius < MIN_RADIUS_PX) continue;
      const lids = sidesOf(shape.ring.flatMap((v) => [landmarks[3 * v]!, landmarks[3 * v + 1]!]));
      const patch = patchAround(eye, planes);
      if (patch.width < 2 || patch.height < 2) continue;
      const weight = this.#weigh(patch, eye, lids);
      const own = this.#ownColour(k, planes, patch, weight, share, elapsedSeconds);
      if (own === null) continue;
      const likely = this.#isDoubtful ? likelyColour(wanted, own) : wanted;
      const by = likely.map(
        (value, plane) => IRIS_COLOUR_SHARE * share * opacity * (value - own[plane]!),
      ) as Colour;
      move(planes, patch, weight, own[0], by);
    }
  }

  #weigh(patch: Patch, eye: Eye, lids: Float64Array): Float32Array {
    const count = patch.width * patch.height;
    if (this.#weight.length < count) this.#weight = new Float32Array(count);
    const weight = this.#weight;
    const perRadius = 1 / eye.radius;
    for (let y = 0, i = 0; y < patch.height; y++) {
      const py = patch.top + y + 0.5;
      for (let x = 0; x < patch.width; x++, i++) {
        const px = patch.left + x + 0.5;
        const from = Math.sqrt((px - eye.x) ** 2 + (py - eye.y) ** 2) * perRadius;
        weight[i] =
          from >= RING_OUTER.to || from <= RING_INNER.from
            ? 0
            : ramp(RING_INNER, from) * (1 - ramp(RING_OUTER, from)) * insideLids(lids, px, py);
      }
    }
    return weight;
  }

  #ownColour(
    k: number,
    { data, strides, chromaIsHalved }: FramePlanes,
    patch: Patch,
    weight: Float32Array,
    share: number,
    elapsedSeconds: number,
  ): Colour | null {
    const shift = chromaIsHalved ? 1 : 0;
    const sum: Colour = [0, 0, 0];
    let total = 0;
    for (let y = 0, i = 0; y < patch.height; y++) {
      for (let x = 0; x < patch.width; x++, i++) {
        const w = weight[i]!;
        if (w === 0) continue;
        const row = patch.top + y;
        const column = patch.left + x;
        const chroma = (row >> shift) * strides[1] + (column >> shift);
        sum[0] += w * data[0][row * strides[0] + column]!;
        sum[1] += w * data[1][chroma]!;
        sum[2] += w * data[2][(row >> shift) * strides[2] + (column >> shift)]!;
        total += w;
      }
    }
    const before = this.#own[k] ?? null;
    if (total < 3) return before;
    const ease = before === null ? 1 : (share * elapsedSeconds) / (OWN_COLOUR_SECONDS + elapsedSeconds);
    const own = sum.map((value, plane) => {
      const now = value / total;
      return before === null ? now : before[plane]! + ease * (now - before[plane]!);
    }) as Colour;
    this.#own[k] = own;
    return own;
  }
}

/** Rectangle of whole pixels of the planes' part; left and top are even. */
interface Patch {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function patchAround({ x, y, radius }: Eye, planes: FramePlanes): Patch {
  const reach = RING_OUTER.to * radius;
  const left = Math.max(0, Math.floor((x - reach) / 2) * 2);
  const top = Math.max(0, Math.floor((y - reach) / 2) * 2);
  return {
    left,
    top,
    width: Math.min(planes.width, Math.ceil(x + reach)) - left,
    height: Math.min(planes.height, Math.ceil(y + reach)) - top,
  };
}

/** Adds `by`, times its weight, to every sample. Chroma uses the mean weight of its pixels. */
function move(planes: FramePlanes, patch: Patch, weight: Float32Array, ownLuma: number, by: Colour): void {
  const { data, strides, chromaIsHalved } = planes;
  const { left, top, width, height } = patch;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (weight[i] === 0) continue;
      const at = (top + y) * strides[0] + left + x;
      const luma = data[0][at]!;
      weight[i]! *= 1 - ramp(GLINT_LUMA, luma - ownLuma);
      data[0][at] = clamp(Math.round(luma + weight[i]! * by[0]), 0, 255);
    }
  }
  const step = chromaIsHalved ? 2 : 1;
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      let sum = 0;
      for (let row = y; row < y + step; row++)
        for (let column = x; column < x + step; column++)
          if (row < height && column < width) sum += weight[row * width + column]!;
      if (sum === 0) continue;
      const share = sum / (step * step);
      for (const plane of [1, 2] as const) {
        const at = ((top + y) / step) * strides[plane] + (left + x) / step;
        data[plane][at] = clamp(Math.round(data[plane][at]! + share * by[plane]), 0, 255);
      }
    }
  }
}

/**
 * Number of values per side of a lid's outline: x, y, the vector to its end, and 1 over its length
 * squared.
 */
const NUMBERS_PER_SIDE = 5;

/** @param lids x0, y0, x1, y1, ... */
function sidesOf(lids: readonly number[]): Float64Array {
  const sides = new Float64Array((NUMBERS_PER_SIDE * lids.length) / 2);
  let ax = lids[lids.length - 2]!;
  let ay = lids[lids.length - 1]!;
  for (let i = 0, to = 0; i < lids.length; i += 2, to += NUMBERS_PER_SIDE) {
    const ux = lids[i]! - ax;
    const uy = lids[i + 1]! - ay;
    sides.set([ax, ay, ux, uy, 1 / (ux * ux + uy * uy + 1e-9)], to);
    ax = lids[i]!;
    ay = lids[i + 1]!;
  }
  return sides;
}

/** Measures how far a point is inside the lids, 0..1, with an edge of one pixel. */
function insideLids(sides: Float64Array, x: number, y: number): number {
  let inside = false;
  let nearest = Infinity;
  for (let i = 0; i < sides.length; i += NUMBERS_PER_SIDE) {
    const px = x - sides[i]!;
    const py = y - sides[i + 1]!;
    const ux = sides[i + 2]!;
    const uy = sides[i + 3]!;
    if (py < 0 !== py < uy && px < (py / uy) * ux) inside = !inside;
    const along = (px * ux + py * uy) * sides[i + 4]!;
    const t = along < 0 ? 0 : along > 1 ? 1 : along;
    const dx = px - t * ux;
    const dy = py - t * uy;
    const square = dx * dx + dy * dy;
    if (square < nearest) nearest = square;
  }
  if (nearest > 0.25) return inside ? 1 : 0;
  return 0.5 + (inside ? 1 : -1) * Math.sqrt(nearest);
}

/** Converts a Rec. 601 luma and colour differences around 0 to the values that the planes store. */
function stored([luma, blue, red]: Colour, { offset, weights }: PlaneColours): Colour {
  const [r, g, b] = atlasRgb(luma, blue, red);
  return [0, 1, 2].map(
    (k) => offset[k]! + weights[3 * k]! * r + weights[3 * k + 1]! * g + weights[3 * k + 2]! * b,
  ) as Colour;
}
