import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { COARSE_SIDE, pixelTexels } from '../uv/atlas-layout.ts';
import type { SourceFace } from './source-face.ts';

/** One photo of the person. */
export interface SourcePhoto {
  readonly face: SourceFace;
  /** Certainty that the photo shows the person of the first photo, 0..1. */
  readonly trust: number;
}

/** Worth of each of several photos. */
export interface PhotoWorths {
  /** Worth of each photo as a whole: 0 is useless, 1 is the best. */
  readonly worths: readonly number[];
  /** Weight of each place in each photo, one coarse plane for each photo, above 0. */
  readonly counts: readonly Float32Array[];
}

/** Factor on the worth of the first photo, which the client put first. */
const FIRST_PHOTO_BONUS = 1.3;
/** Blur (variance, texels squared) that halves a photo's worth. */
const HALVING_BLUR = 1.5;
/** Least blur by a photo's own pixels, as a share of their area in the atlas. */
const PIXEL_BLUR_SHARE = 0.35;
/** Grain up to which a photo loses no weight, levels. */
const USUAL_GRAIN_LEVELS = 1.5;
/** Additional grain that halves a photo's weight, levels. */
const HALVING_GRAIN_LEVELS = 1;
/**
 * Worth divided by the best photo's. 0 at `from`: the photo is ignored; 1 at `to`: it counts fully.
 */
const COUNTED_WORTH: Ramp = { from: 0.1, to: 0.3 };
/** Luma of the light. 0 at `from`: a place is too dark; 1 at `to`: it is bright enough. */
const BRIGHT_ENOUGH_LUMA: Ramp = { from: 12, to: 45 };
/** Luma. 0 at `from`: a place is burnt out; 1 at `to`: it is not. */
const UNBURNT_LUMA: Ramp = { from: 248, to: 222 };
/**
 * Light of a place, divided by that of the face's bright parts. 0 at `from`: it is in hard shadow;
 * 1 at `to`: it is lit.
 */
const LIT_SHARE: Ramp = { from: 0.3, to: 0.75 };
/**
 * Difference from the luma that the photos agree on, as a share. 0 at `from`: the place disagrees;
 * 1 at `to`: it agrees. Expressions differ by less, a hand by more.
 */
const SAME_LUMA: Ramp = { from: 0.4, to: 0.15 };
/** Difference from the colour that the photos agree on, levels, from disagreement to agreement. */
const SAME_COLOUR: Ramp = { from: 30, to: 12 };
/** Weight of a useless place: if no photo shows it well, the least bad photo is used. */
const MIN_PLACE_WEIGHT = 0.02;

/**
 * Judges photos of one person, as wholes and place by place. A place counts if it faces the camera,
 * is not covered, dark or burnt out, and does not contradict the other photos: of two photos the
 * first is believed, of several the majority.
 * @param alike the atlases of the photos, all in the first one's light
 */
export function judgePhotos(photos: readonly SourcePhoto[], alike: readonly Atlas[]): PhotoWorths {
  const lit = photos.map(({ face }) => litPlaces(face));
  const planes = photos.map(({ face }, k) => face.seen.map((value, i) => value * lit[k]![i]!));
  const plain = photos.map(({ face, trust }, k) => {
    const exposure = meanOf(lit[k]!, face.seen);
    return (k === 0 ? FIRST_PHOTO_BONUS : trust) * clearness(face) * exposure * exposure;
  });
  const agreed = agreements(
    alike,
    planes.map((plane, k) => plane.map((value) => plain[k]! * value)),
  );
  const worths = againstBest(
    plain.map((worth, k) => {
      const agreement = meanOf(agreed[k]!, planes[k]!);
      return worth * agreement * agreement;
    }),
  );
  return {
    worths,
    counts: planes.map((plane, k) =>
      plane.map(
        (value, i) => worths[k]! * (MIN_PLACE_WEIGHT + (1 - MIN_PLACE_WEIGHT) * value * agreed[k]![i]!),
      ),
    ),
  };
}

function againstBest(values: readonly number[]): number[] {
  const best = Math.max(...values);
  return values.map((value) => ramp(COUNTED_WORTH, value / best) * (value / best));
}

/** Returns 1 for a photo that is sharp and has no noise. */
function clearness({ atlas, facePixels, texture: { blur, grain } }: SourceFace): number {
  // Noise looks like sharpness, but no photo is sharper than the size of its pixels.
  const pixel = pixelTexels(atlas.side, facePixels);
  const trueBlur = Math.max(blur, PIXEL_BLUR_SHARE * pixel * pixel);
  return 0.5 ** (trueBlur / HALVING_BLUR + Math.max(0, grain - USUAL_GRAIN_LEVELS) / HALVING_GRAIN_LEVELS);
}

/**
 * Measures exposure at each coarse place: 1 well exposed, 0 in hard shadow, too dark or burnt out.
 */
function litPlaces({ atlas, light }: SourceFace): Float32Array {
  const { luma } = shrinkAtlas(atlas, COARSE_SIDE);
  const bright = [...light.luma].sort((a, b) => a - b)[Math.floor(0.8 * light.luma.length)]!;
  return luma.map((value, i) => {
    const exposed = ramp(UNBURNT_LUMA, value) * ramp(BRIGHT_ENOUGH_LUMA, light.luma[i]!);
    return exposed * ramp(LIT_SHARE, light.luma[i]! / bright);
  });
}

/**
 * Measures how far each photo agrees with the weighted median of the photos, a coarse plane a
 * photo, 0..1.
 */
function agreements(atlases: readonly Atlas[], weights: readonly Float32Array[]): Float32Array[] {
  const shrunk = atlases.map((atlas) => shrinkAtlas(atlas, COARSE_SIDE));
  for (const { luma, blue, red } of shrunk) {
    for (const plane of [luma, blue, red]) boxBlur(plane, COARSE_SIDE, COARSE_SIDE, 1, 2);
  }
  const agreed = shrunk.map(() => new Float32Array(COARSE_SIDE * COARSE_SIDE));
  const order = shrunk.map((_, k) => k);
  for (let i = 0; i < COARSE_SIDE * COARSE_SIDE; i++) {
    order.sort((a, b) => shrunk[a]!.luma[i]! - shrunk[b]!.luma[i]!);
    let half = 0;
    for (const plane of weights) half += plane[i]! / 2;
    let at = 0;
    let below = weights[order[0]!]![i]!;
    while (below < half && at < order.length - 1) below += weights[order[++at]!]![i]!;
    const median = shrunk[order[at]!]!;
    for (const [k, { luma, blue, red }] of shrunk.entries()) {
      const step = Math.abs(luma[i]! - median.luma[i]!) / (median.luma[i]! + 16);
      const colour = Math.abs(blue[i]! - median.blue[i]!) + Math.abs(red[i]! - median.red[i]!);
      agreed[k]![i] = ramp(SAME_LUMA, step) * ramp(SAME_COLOUR, colour);
    }
  }
  for (const plane of agreed) boxBlur(plane, COARSE_SIDE, COARSE_SIDE, 2, 1);
  return agreed;
}

function meanOf(plane: Float32Array, weight: Float32Array): number {
  let sum = 0;
  let total = 1e-6;
  for (let i = 0; i < plane.length; i++) {
    sum += weight[i]! * plane[i]!;
    total += weight[i]!;
  }
  return sum / total;
}
