import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Golden, GoldenOutput } from './goldens/golden.ts';
import { syntheticInput, toPlanes } from './goldens/synthetic-input.ts';
import type { Network } from './open-size-model.ts';
import { sessions } from './testing/test-sessions.ts';

/** Largest difference to the original runtime, as a share of the output's range. */
const TOLERANCE = 1e-3;

const CASES: readonly { golden: string; model: () => Promise<Network> | Network }[] = [
  { golden: 'blazeface', model: () => sessions.blazeface },
  { golden: 'blazeface-open-size', model: () => sessions.blazeface },
  { golden: 'iris', model: () => sessions.iris },
  { golden: 'face-recognition', model: () => sessions.faceRecognition },
  { golden: 'hand-landmarks', model: () => sessions.handLandmarks() },
  { golden: 'faceres', model: () => sessions.faceres() },
];

for (const { golden: name, model } of CASES) {
  test(`${name} answers as the original runtime does`, async () => {
    const file = path.join(import.meta.dirname, 'goldens', `${name}.json`);
    const golden = JSON.parse(await readFile(file, 'utf8')) as Golden;
    const { height, width, low, high } = golden;
    const planes = toPlanes(syntheticInput(height, width, low, high));
    const opened = await model();
    await opened.run(
      height,
      width,
      (input) => input.set(planes),
      (outputs) => {
        for (const [output, expected] of Object.entries(golden.outputs)) {
          assertClose(outputs[output]!, expected, output);
        }
      },
    );
  });
}

function assertClose(actual: Float32Array, expected: GoldenOutput, output: string): void {
  assert.equal(actual.length, expected.count, output);
  const range = expected.highest - expected.lowest;
  // A single number has no range; it is a probability, whose range is 0..1.
  const allowed = TOLERANCE * (range || 1);
  expected.values.forEach((value, i) => {
    const difference = Math.abs(actual[i * expected.step]! - value);
    assert.ok(
      difference <= allowed,
      `${output}[${i * expected.step}] is off by ${difference / allowed} tolerances`,
    );
  });
}
