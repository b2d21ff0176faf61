import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { OnnxGraph } from '../models/conversion/onnx-graph.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import { inspectNetwork } from './inspect-network.ts';
import { NetworkRestorer } from './network-restorer.ts';
import { readOnnxFile } from './onnx-file.ts';
import { PROTOCOL_NAMES, type ProtocolName } from './protocols.ts';
import { fittingProtocols } from './recognise.ts';
import { paintedFace } from './testing/painted-face.ts';
import { MATRIX_DIAGONAL, testNetwork } from './testing/test-networks.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'guise-networks-'));
after(() => rm(folder, { recursive: true }));

/** Networks of 256 pixels with a vector look alike from outside, unless they make a mask. */
const ALIKE: readonly ProtocolName[] = ['simswap', 'ghost', 'hififace'];

for (const name of PROTOCOL_NAMES)
  test(`a network for ${name} is recognised by its graph`, () => {
    const expected = ALIKE.includes(name) ? ALIKE : [name];
    assert.deepEqual(fittingProtocols(readOnnxFile(testNetwork(name))), expected);
  });

let count = 0;
async function inspect(bytes: Uint8Array, wanted?: ProtocolName) {
  const file = path.join(folder, `${count++}.onnx`);
  await writeFile(file, bytes);
  return inspectNetwork(file, wanted);
}

test('a network that works is told by its protocol', async () => {
  for (const name of ['inswapper', 'hyperswap', 'restorer-512', 'arcface', 'converter'] as const)
    assert.deepEqual(await inspect(testNetwork(name)), { protocol: name });
  assert.deepEqual(await inspect(testNetwork('ghost'), 'ghost'), { protocol: 'ghost' });
});

test('a restorer may ask for a weight, as CodeFormer does, and gets one half', async () => {
  const graph = new OnnxGraph('codeformer');
  const face = graph.input('input', [1, 3, 512, 512]);
  const weight = graph.node('Cast', [graph.input('weight', [1], 'float64')], { to: 1 });
  graph.output('output', [1, 3, 512, 512], graph.node('Mul', [face, weight]));
  assert.deepEqual(await inspect(graph.encode()), { protocol: 'restorer-512' });
  const file = path.join(folder, 'codeformer.onnx');
  await writeFile(file, graph.encode());
  const restorer = await NetworkRestorer.open({ id: 'a', sha256: '', protocol: 'restorer-512', file });
  const { image, landmarks } = paintedFace(300);
  const { levels, changed } = await restorer.restore(pyramidOf(image), landmarks);
  // The network sees -1..1, so that one half is between the face and grey.
  for (let i = 0; i < changed.length; i += 997)
    assert.ok(Math.abs(changed[i]! - (levels[i]! + 127.5) / 2) < 0.01, `${levels[i]} ${changed[i]}`);
  await restorer.close();
});

test('where several protocols fit, the operator has to say which', async () => {
  assert.deepEqual(await inspect(testNetwork('ghost')), {
    problem: 'It fits several protocols: simswap, ghost, hififace.',
    fitting: [...ALIKE],
  });
  assert.deepEqual(await inspect(testNetwork('ghost'), 'inswapper'), {
    problem: 'It does not fit the protocol inswapper, but simswap, ghost, hififace.',
    fitting: [...ALIKE],
  });
});

/** Says why a file cannot be used. */
async function problemOf(bytes: Uint8Array): Promise<string> {
  const found = await inspect(bytes);
  assert.ok('problem' in found, JSON.stringify(found));
  return found.problem;
}

test('a file that is no network is refused in a sentence', async () => {
  const good = testNetwork('inswapper');
  for (const bytes of [
    Buffer.from(''),
    Buffer.from('{"no": "network"}'),
    Buffer.alloc(1000, 255),
    good.subarray(0, good.length / 2),
  ])
    assert.equal(await problemOf(bytes), 'It is not an ONNX file.');
});

test('a network that guise does not know is refused with its inputs and outputs', async () => {
  const graph = new OnnxGraph('classifier');
  const input = graph.input('data', ['batch', 3, 224, 224]);
  graph.output('label', [1, 3, 1, 1], graph.node('GlobalAveragePool', [input]));
  assert.equal(
    await problemOf(graph.encode()),
    'guise does not know networks with the inputs data (? x 3 x 224 x 224) and the outputs label (1 x 3 x 1 x 1).',
  );
});

test('a network that gives other sizes than it says, or no numbers, is refused', async () => {
  const short = new OnnxGraph('short');
  const vector = short.input('input', ['batch', 512]);
  const half = short.node('Slice', [vector, ...[0, 256, 1].map((value) => short.integers([value]))]);
  short.output('output', ['batch', 512], half);
  assert.equal(await problemOf(short.encode()), 'The network gives 256 values instead of 512.');
  const broken = new OnnxGraph('no numbers');
  const value = broken.input('input', [1, 512]);
  broken.output('output', [1, 512], broken.node('Log', [broken.node('Neg', [value])]));
  assert.equal(await problemOf(broken.encode()), 'It gives values that are no numbers.');
});

test("inswapper's matrix is the last constant of its shape", async () => {
  const matrix = readOnnxFile(testNetwork('inswapper')).lastMatrix(512, 512)!;
  assert.deepEqual([matrix[0], matrix[513], matrix[2 * 513], matrix[3 * 513]], [...MATRIX_DIAGONAL, 0]);
  assert.equal(readOnnxFile(testNetwork('hyperswap')).lastMatrix(512, 512), null);
});
