import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Decision } from './fit-decision.ts';

const WEIGHTS_FILE = fileURLToPath(import.meta.resolve('@guise/engine/mesh/glasses/worn-weights.ts'));
/** Largest whole number that a weight is stored as. */
const LARGEST_STEPS = 32767;
/** Base64 digits of a line of the file. */
const LINE_DIGITS = 88;

/** Writes the decision as the engine reads it. @param madeFrom one line of the file's comment */
export async function writeWeights({ weights, bias }: Decision, madeFrom: string): Promise<void> {
  const step = Math.max(...weights.map(Math.abs)) / LARGEST_STEPS;
  const bytes = Buffer.alloc(2 * weights.length);
  for (const [k, weight] of weights.entries()) bytes.writeInt16LE(Math.round(weight / step), 2 * k);
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${LINE_DIGITS}}`, 'g'))!;
  const text = `/**
 * Weights of \`wornFeatures\` in the log-odds of glasses, in steps: base64 of 16-bit numbers.
 *
 * Written by \`npm run bench:glasses -- train\` (see bench/glasses/README.md); do not edit.
 * ${madeFrom}
 */
export const WORN_WEIGHTS =
${lines.map((line) => `  '${line}'`).join(' +\n')};
/** Step of the weights. */
export const WORN_WEIGHT_STEP = ${step};
/** Log-odds of glasses where no line is seen. */
export const WORN_BIAS = ${bias};
`;
  await writeFile(WEIGHTS_FILE, text);
}
