import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { FEATURE_COUNT, wornFeatures } from './worn-features.ts';
import { WORN_BIAS, WORN_WEIGHT_STEP, WORN_WEIGHTS } from './worn-weights.ts';

/** Answer to whether a face wears glasses. */
export interface WornGlasses {
  /** Natural logarithm of the odds that glasses are worn: 0 is undecided, 3 is twenty to one. */
  readonly logOdds: number;
  /** The one decision: where it is false, nothing may be treated as part of glasses. */
  readonly isWorn: boolean;
}

const weights = readWeights(WORN_WEIGHTS, WORN_WEIGHT_STEP);

/**
 * Decides whether a face wears glasses, of any kind.
 * @param atlas as the photo shows the face, not cleaned, of the layout's side
 */
export function wornGlasses(
  atlas: Atlas,
  _layout: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
): WornGlasses {
  const features = wornFeatures(atlas, make);
  let logOdds = WORN_BIAS;
  for (let k = 0; k < FEATURE_COUNT; k++) logOdds += weights[k]! * features[k]!;
  return decideWorn(logOdds);
}

/** Turns log-odds into a decision. */
export function decideWorn(logOdds: number): WornGlasses {
  return { logOdds, isWorn: logOdds > 0 };
}

/** Reads weights that are stored as base64 of 16-bit whole numbers of steps, low byte first. */
function readWeights(stored: string, step: number): Float32Array {
  const bytes = Buffer.from(stored, 'base64');
  return Float32Array.from({ length: bytes.length / 2 }, (_, k) => step * bytes.readInt16LE(2 * k));
}
