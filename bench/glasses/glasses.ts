/**
 * Trains and checks the decision whether a face wears glasses, over the faces of the fixtures:
 *
 *   npm run bench:glasses                        # checks the decision of the engine
 *   npm run bench:glasses -- train [--seed 1]    # prints held-out results, writes the weights
 *
 * See README.md beside this file.
 */
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import { skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { checkDecision } from './check-decision.ts';
import { readFixtureFaces } from './fixture-faces.ts';
import { labelsOf } from './labels.ts';
import { trainDecision } from './train-decision.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    models: { type: 'string', default: path.join(os.tmpdir(), 'guise-bench-models') },
  },
});

if (skipWithoutFixtures) {
  console.log(`No faces to decide on: ${skipWithoutFixtures}.`);
} else {
  const engine = await createEngine({ modelCacheDir: values.models });
  const faces = await readFixtureFaces(engine);
  await engine.close();
  const labels = await labelsOf(faces);
  if (positionals[0] === 'train') await trainDecision(faces, labels, Number(values.seed));
  else process.exitCode = checkDecision(faces, labels) ? 0 : 1;
}
