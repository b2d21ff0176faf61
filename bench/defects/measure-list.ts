import type { Category, Pair } from '../eye/pair-list.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { FacePair } from './face-pair.ts';
import { halfKept } from './half-kept.ts';
import { noseColourStep } from './nose-colour.ts';
import { redBelowLip } from './red-below-lip.ts';
import { silhouetteEdges } from './silhouette-edges.ts';
import { smileRelief } from './smile-relief.ts';
import { thinLines } from './thin-lines.ts';

/** The input of the measures. */
export interface DefectSubject extends FacePair {
  readonly pictures: { readonly output: RgbImage; readonly target: RgbImage };
  /** 478 x (x, y, z) of the target's face. */
  readonly targetLandmarks: Float32Array;
  /** How much of each texel of the target stays in front of the new face, 0..1. */
  readonly kept: Float32Array;
}

/** A measure of one defect. */
export interface DefectMeasure {
  readonly name: string;
  readonly unit: string;
  /** Largest mean over the pairs that a good version may have. */
  readonly goal: number;
  /** Returns whether a pair can show the defect. */
  readonly concerns: (pair: Pair) => boolean;
  readonly measure: (subject: DefectSubject) => number;
}

/** All measures. For an unchanged target, each of them is 0, except "half-kept things". */
export const DEFECT_MEASURES: readonly DefectMeasure[] = [
  {
    name: 'colour of the nose',
    unit: 'levels',
    goal: 3,
    concerns: (pair) =>
      isOf(pair, 'plain', 'dark onto light', 'light onto dark', 'beard onto clean') &&
      !hasGlassesOnTarget(pair),
    measure: noseColourStep,
  },
  {
    name: 'lines of glasses',
    unit: '% of luma',
    goal: 0.2,
    concerns: (pair) => isOf(pair, 'glasses on source') && !hasGlassesOnTarget(pair),
    measure: thinLines,
  },
  {
    name: 'half-kept things',
    unit: 'share',
    goal: 0.1,
    concerns: (pair) => isOf(pair, 'plain', 'clean onto beard', 'female and male', 'light onto dark'),
    measure: ({ layout, kept }) => halfKept(layout, kept),
  },
  {
    name: 'red below the lip',
    unit: 'levels',
    goal: 2,
    concerns: (pair) => isOf(pair, 'plain', 'smile onto calm', 'calm onto smile', 'female and male'),
    measure: redBelowLip,
  },
  {
    name: 'edges at the silhouette',
    unit: 'levels',
    goal: 1,
    concerns: (pair) => isOf(pair, 'three-quarter', 'profile', 'beard onto clean', 'in front'),
    measure: ({ pictures: { output, target }, targetLandmarks }) =>
      silhouetteEdges(output, target, targetLandmarks),
  },
  {
    name: 'smile on a calm mouth',
    unit: '% of light',
    goal: 1,
    concerns: (pair) => isOf(pair, 'smile onto calm'),
    measure: smileRelief,
  },
];

function hasGlassesOnTarget(pair: Pair): boolean {
  return isOf(pair, 'dark glasses on target', 'clear glasses on target');
}

function isOf({ categories, kind }: Pair, ...some: Category[]): boolean {
  return kind === 'still' && some.some((category) => categories.includes(category));
}
