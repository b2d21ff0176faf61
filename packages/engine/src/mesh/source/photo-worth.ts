import { boxBlur } from '@guise/kernels/box-blur.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { LIGHT_SIDE, pixelTexels } from '../uv/atlas-layout.ts';
import type { SourceFace } from './source-face.ts';

/** One photo of the person. */
export interface SourcePhoto {
  readonly face: SourceFace;
  /** 0..1: how surely it is the person of the first photo. */
  readonly trust: number;
}

/** What each of several photos is worth. */
export interface PhotoWorths {
  /** Of each photo as a whole: 0 of no use, 1 the best. */
  readonly worths: readonly number[];
  /** Of each photo the light-size plane of how much each place counts, above 0. */
  readonly counts: readonly Float32Array[];
}

/** What the first photo, which the client put first, is worth against another as good. */
const FIRST_BONUS = 1.3;
/** Blur (variance, texels squared) by which a photo's worth falls to a half, and the least that a photo's own pixels bring. */
const HALVING_BLUR = 3;
const PIXEL_BLUR = 0.7;
/** Grain (luma steps) that bare skin may have, and what beyond it halves a photo's worth. */
const USUAL_GRAIN = 1.5;
const HALVING_GRAIN = 1;
/** Worth, against the best photo's, below which a photo lends nothing, and above which it counts as it is worth. */
const WORTHLESS = 0.1;
const WORTHY = 0.3;
/** Luma of the light below which a place is too dark, and of the place above which it is burnt out. */
const DARK = [12, 45] as const;
const BURNT = [222, 248] as const;
/** Light of a place against the face's bright parts: below it lies in hard shadow. */
const SHADOW = [0.3, 0.75] as const;
/** Differences from what the photos agree on, in shares of the luma and in colour: expressions differ by less, a hand by more. */
const SAME_LUMA = [0.15, 0.4] as const;
const SAME_COLOUR = [12, 30] as const;
/** What a place still counts that is of no use: where no photo shows it well, the least bad one is taken. */
const LEAST_COUNT = 0.02;

/**
 * Judges photos of one person, whole and place by place. A place counts that is turned towards the camera, neither covered, dark nor burnt
 * out, and that does not contradict the other photos: against one other the first is believed, against several the majority.
 * @param alike the atlases of the photos, all in the first one's light
 */
export function judgePhotos(photos: readonly SourcePhoto[], alike: readonly Atlas[]): PhotoWorths {
  const lit = photos.map(({ face }) => litPlaces(face));
  const planes = photos.map(({ face }, k) => face.seen.map((value, i) => value * lit[k]![i]!));
  const plain = photos.map(({ face, trust }, k) => {
    const exposure = meanOf(lit[k]!, face.seen);
    return (k === 0 ? FIRST_BONUS : trust) * clearness(face) * exposure * exposure;
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
      plane.map((value, i) => worths[k]! * (LEAST_COUNT + (1 - LEAST_COUNT) * value * agreed[k]![i]!)),
    ),
  };
}

function againstBest(values: readonly number[]): number[] {
  const best = Math.max(...values);
  return values.map((value) => smoothstep(WORTHLESS, WORTHY, value / best) * (value / best));
}

/** 1 for a photo that is sharp and has no noise. */
function clearness({ atlas, facePixels, texture: { blur, grain } }: SourceFace): number {
  // Noise passes for sharpness: no photo is sharper than its pixels are small.
  const pixel = pixelTexels(atlas.side, facePixels);
  const trueBlur = Math.max(blur, PIXEL_BLUR * pixel * pixel);
  return 0.5 ** (trueBlur / HALVING_BLUR + Math.max(0, grain - USUAL_GRAIN) / HALVING_GRAIN);
}

/** For each light-size place 1 where it is well exposed, to 0 in hard shadow, too dark or burnt out. */
function litPlaces({ atlas, light }: SourceFace): Float32Array {
  const { luma } = shrinkAtlas(atlas, LIGHT_SIDE);
  const bright = [...light.luma].sort((a, b) => a - b)[Math.floor(0.8 * light.luma.length)]!;
  return luma.map((value, i) => {
    const exposed = smoothstep(BURNT[1], BURNT[0], value) * smoothstep(DARK[0], DARK[1], light.luma[i]!);
    return exposed * smoothstep(SHADOW[0], SHADOW[1], light.luma[i]! / bright);
  });
}

/** For each photo the light-size plane of how far it shows what the weighted median of the photos does, 0..1. */
function agreements(atlases: readonly Atlas[], weights: readonly Float32Array[]): Float32Array[] {
  const shrunk = atlases.map((atlas) => shrinkAtlas(atlas, LIGHT_SIDE));
  for (const { luma, blue, red } of shrunk) {
    for (const plane of [luma, blue, red]) boxBlur(plane, LIGHT_SIDE, LIGHT_SIDE, 1, 2);
  }
  const agreed = shrunk.map(() => new Float32Array(LIGHT_SIDE * LIGHT_SIDE));
  const order = shrunk.map((_, k) => k);
  for (let i = 0; i < LIGHT_SIDE * LIGHT_SIDE; i++) {
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
      agreed[k]![i] =
        smoothstep(SAME_LUMA[1], SAME_LUMA[0], step) * smoothstep(SAME_COLOUR[1], SAME_COLOUR[0], colour);
    }
  }
  for (const plane of agreed) boxBlur(plane, LIGHT_SIDE, LIGHT_SIDE, 2, 1);
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
