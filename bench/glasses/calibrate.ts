import type { Label } from './labels.ts';
import { isOfClip } from './labels.ts';

const STEPS = 20_000;
const STEP = 5;

/**
 * Fits what makes log-odds of scores on faces that the decision has not seen, wearing or not being
 * as likely (logistic regression by steepest descent). Frames of clips are left out: so many of one
 * person would decide alone.
 */
export function calibrate(
  labels: readonly Label[],
  scores: readonly number[],
): { readonly gain: number; readonly offset: number } {
  const shown = labels
    .map(({ file, glasses }, k) => ({ file, glasses, score: scores[k]! }))
    .filter(({ file, glasses }) => glasses !== 'unknown' && !isOfClip(file));
  const worn = shown.filter(({ glasses }) => glasses === 'yes').length;
  let gain = 1;
  let offset = 0;
  for (let step = 0; step < STEPS; step++) {
    let gainSlope = 0;
    let offsetSlope = 0;
    for (const { glasses, score } of shown) {
      const isWorn = glasses === 'yes';
      const likely = 1 / (1 + Math.exp(-(gain * score + offset)));
      const error = isWorn ? (likely - 1) / worn : likely / (shown.length - worn);
      gainSlope += error * score;
      offsetSlope += error;
    }
    gain -= (STEP / 2) * gainSlope;
    offset -= (STEP / 2) * offsetSlope;
  }
  return { gain, offset };
}
