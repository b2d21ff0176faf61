import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Workspace } from '../workspace.ts';
import type { ArrayMaker, KernelCase } from './kernel-case.ts';
import { GOLDEN_SIZE, kernelCases, samplesOf } from './kernel-cases.ts';

const workspace = new Workspace();
after(() => workspace.release());
const ordinary: ArrayMaker = {
  floats: (count) => new Float32Array(count),
  bytes: (count) => new Uint8Array(count),
};

function assertNear({ name, tolerance, kernel, reference }: KernelCase): void {
  const expected = reference();
  const actual = kernel();
  for (const [k, plane] of expected.entries()) {
    const other = actual[k]!;
    assert.equal(other.length, plane.length);
    const scale = plane instanceof Uint8Array ? 1 : plane.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
    for (let i = 0; i < plane.length; i++) {
      const distance = Math.abs(other[i]! - plane[i]!);
      // Not "greater", because NaN must not pass.
      if (!(distance <= tolerance * scale))
        assert.fail(`${name}: array ${k}, value ${i} is ${other[i]}, its reference ${plane[i]}`);
    }
  }
}

for (const [place, make] of [
  ['ordinary arrays', ordinary],
  ['arrays in their own memory', workspace],
] as const) {
  for (const [width, height, side] of [
    [64, 48, 64],
    [37, 29, 16],
    [35, 1, 8],
    [18, 23, 4],
    [3, 2, 2],
    [1, 7, 4],
    [1, 1, 1],
    [301, 211, 256],
  ] as const) {
    test(`every kernel agrees with its reference version on ${place} of ${width} x ${height} and ${side} squared`, () => {
      for (const each of kernelCases(make, width, height, side)) assertNear(each);
    });
  }
}

test('kernels and references give what they always gave', () => {
  const file = new URL('kernel-goldens.json', import.meta.url);
  const goldens = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number[]>;
  const cases = kernelCases(ordinary, ...GOLDEN_SIZE);
  assert.deepEqual(
    cases.map(({ name }) => name),
    Object.keys(goldens),
  );
  for (const { name, tolerance, kernel, reference } of cases) {
    const golden = goldens[name]!;
    const results = kernel();
    // Six digits are kept for floats, whole levels for bytes.
    const levels = results[0] instanceof Uint8Array ? tolerance : 0;
    const most = levels + 4e-5 * Math.max(...golden.map(Math.abs), 1);
    for (const samples of [samplesOf(results), samplesOf(reference())]) {
      for (const [k, value] of samples.entries())
        assert.ok(Math.abs(value - golden[k]!) <= most, `${name}: ${samples} for ${golden}`);
    }
  }
});

test('kernels work in a worker thread, on memory of its own', async () => {
  const url = JSON.stringify(new URL('../filter/box-blur.ts', import.meta.url).href);
  const code = `const { parentPort } = require('node:worker_threads');
    import(${url}).then(({ boxBlur }) => {
      const plane = new Float32Array([0, 0, 9, 0, 0]);
      boxBlur(plane, 5, 1, 1, 1);
      parentPort.postMessage([...plane]);
    });`;
  const worker = new Worker(code, { eval: true });
  const values = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  assert.deepEqual(values, [0, 3, 3, 3, 0]);
  await worker.terminate();
});
