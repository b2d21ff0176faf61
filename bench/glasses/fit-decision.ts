import { FEATURE_COUNT } from '@guise/engine/mesh/glasses/worn-features.ts';
import type { Label } from './labels.ts';
import { addMoments, addRow, type Moments, noMoments, solve } from './least-squares.ts';
import type { TrainingSet } from './training-set.ts';

/** Linear decision: log-odds are `bias` and the sum of each feature times its weight. */
export interface Decision {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** Real wearers count so many times as much as a face with drawn glasses. */
const REAL_WEIGHT = 2;
/** Ridge of the fit, per face. */
const RIDGE = 0.2;
/** Least deviation that a feature is divided by. */
const LEAST_DEVIATION = 0.02;

/** What is fitted, person by person. */
export interface Fit {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly all: Moments;
  readonly ofPerson: ReadonlyMap<string, Moments>;
}

/** Sums up the training faces, those of each person apart. */
export function gather(set: TrainingSet, labels: readonly Label[]): Fit {
  const { features, isWorn, label } = set;
  const { mean, deviation } = spreadOf(features);
  const isReal = (n: number): boolean => labels[label[n]!]!.glasses === 'yes';
  let worn = 0;
  let bare = 0;
  for (let n = 0; n < isWorn.length; n++) {
    if (isWorn[n]) worn += isReal(n) ? REAL_WEIGHT : 1;
    else bare += 1;
  }
  const ofPerson = new Map<string, Moments>();
  const row = new Float64Array(FEATURE_COUNT + 1);
  row[FEATURE_COUNT] = 1;
  for (let n = 0; n < isWorn.length; n++) {
    for (let k = 0; k < FEATURE_COUNT; k++)
      row[k] = (features[n * FEATURE_COUNT + k]! - mean[k]!) / deviation[k]!;
    const { person } = labels[label[n]!]!;
    let moments = ofPerson.get(person);
    if (!moments) ofPerson.set(person, (moments = noMoments(FEATURE_COUNT + 1)));
    // Both answers weigh the same.
    addRow(moments, row, isWorn[n] ? 1 : -1, isWorn[n] ? (isReal(n) ? REAL_WEIGHT : 1) : worn / bare);
  }
  const all = noMoments(FEATURE_COUNT + 1);
  for (const moments of ofPerson.values()) addMoments(all, moments, 1);
  return { mean, deviation, all, ofPerson };
}

function spreadOf(features: Float32Array): { mean: Float64Array; deviation: Float64Array } {
  const count = features.length / FEATURE_COUNT;
  const mean = new Float64Array(FEATURE_COUNT);
  const deviation = new Float64Array(FEATURE_COUNT);
  for (let i = 0; i < features.length; i++) mean[i % FEATURE_COUNT]! += features[i]! / count;
  for (let i = 0; i < features.length; i++)
    deviation[i % FEATURE_COUNT]! += (features[i]! - mean[i % FEATURE_COUNT]!) ** 2 / count;
  for (let k = 0; k < FEATURE_COUNT; k++) deviation[k] = Math.sqrt(deviation[k]!) + LEAST_DEVIATION;
  return { mean, deviation };
}

/** Fits the decision to all persons but one (or none). Its scores are no log-odds yet. */
export function fitWithout({ mean, deviation, all, ofPerson }: Fit, person: string | null): Decision {
  const moments = { ...all, products: all.products.slice(), towards: all.towards.slice() };
  const left = person === null ? undefined : ofPerson.get(person);
  if (left) addMoments(moments, left, -1);
  const found = solve(moments, RIDGE);
  const weights = new Float64Array(FEATURE_COUNT);
  let bias = found[FEATURE_COUNT]!;
  for (let k = 0; k < FEATURE_COUNT; k++) {
    weights[k] = found[k]! / deviation[k]!;
    bias -= weights[k]! * mean[k]!;
  }
  return { weights, bias };
}

export function scoreOf({ weights, bias }: Decision, features: Float32Array): number {
  return weights.reduce((sum, weight, k) => sum + weight * features[k]!, bias);
}
