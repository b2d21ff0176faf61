import type { Decision } from './fit-decision.ts';
import { fitWithout, gather, scoreOf } from './fit-decision.ts';
import type { FixtureFace } from './fixture-faces.ts';
import { calibrate } from './calibrate.ts';
import type { Label } from './labels.ts';
import { printTally } from './tally.ts';
import { featuresOf, makeTrainingSet } from './training-set.ts';
import { writeWeights } from './write-weights.ts';

/** Side of the atlas in which held-out faces are judged, texels. */
const JUDGED_SIDE = 256;

/** Trains the decision, prints how it does on persons it has not seen, and writes it. */
export async function trainDecision(
  faces: readonly FixtureFace[],
  labels: readonly Label[],
  seed: number,
): Promise<void> {
  const set = await makeTrainingSet(faces, labels, seed);
  const fit = gather(set, labels);
  const real = faces.map((face) => featuresOf(face, JUDGED_SIDE));
  const heldOut = new Map<string, Decision>();
  for (const { person } of labels) if (!heldOut.has(person)) heldOut.set(person, fitWithout(fit, person));
  const scores = labels.map(({ person }, k) => scoreOf(heldOut.get(person)!, real[k]!));
  const { gain, offset } = calibrate(labels, scores);
  printTally(
    'Leave one person out',
    labels,
    scores.map((score) => gain * score + offset),
  );
  const { weights, bias } = fitWithout(fit, null);
  const decision = { weights: weights.map((weight) => gain * weight), bias: gain * bias + offset };
  await writeWeights(decision, `Seed ${seed}, ${set.isWorn.length} faces of ${fit.ofPerson.size} persons.`);
}
