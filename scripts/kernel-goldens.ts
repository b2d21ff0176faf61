/**
 * `node launch.cjs scripts/kernel-goldens.ts`: writes
 * packages/kernels/src/testing/kernel-goldens.json from the reference versions. Run it only when a
 * kernel's result changes on purpose, because the tests compare kernels and references with it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { GOLDEN_SIZE, kernelCases, samplesOf } from '@guise/kernels/testing/kernel-cases.ts';

const ordinary = {
  floats: (count: number) => new Float32Array(count),
  bytes: (count: number) => new Uint8Array(count),
};
const goldens = kernelCases(ordinary, ...GOLDEN_SIZE).map(({ name, reference }) => [
  name,
  samplesOf(reference()),
]);
const lines = goldens.map(([name, samples]) => `  ${JSON.stringify(name)}: ${JSON.stringify(samples)}`);
const file = path.resolve(import.meta.dirname, '../packages/kernels/src/testing/kernel-goldens.json');
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
