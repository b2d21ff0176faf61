import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { BLANK_SIGNER } from '@guise/engine-host/protocol/blank-signer.ts';
import { OnnxGraph } from '@guise/engine/models/conversion/onnx-graph.ts';
import type { SwapNetworks } from '@guise/engine/networks/open-networks.ts';
import { DEMO_FACES } from '@guise/engine/samples/sample-faces.ts';
import { TEST_MODELS } from '@guise/engine/models/testing/test-models.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'guise-hostile-'));
const options = {
  modelCacheDir: TEST_MODELS,
  currentSigner: () => BLANK_SIGNER,
  newFolder: () => path.join(folder, `engine-${Math.random()}`),
  warmUp: false,
};
const engine = new EngineProcess({ ...options, stallTimeoutMs: 2000 });
const patient = new EngineProcess(options);
after(async () => {
  await Promise.all([engine.close(), patient.close()]);
  await rm(folder, { recursive: true });
});

/** Adds a square matrix to a graph, whose file does not grow with it. */
function matrix(graph: OnnxGraph, side: number): string {
  return graph.node('Expand', [graph.scalar(1), graph.integers([side, side])]);
}

async function inspect(name: string, graph: OnnxGraph) {
  const networkPath = path.join(folder, `${name}.onnx`);
  await writeFile(networkPath, graph.encode());
  return engine.run({ kind: 'inspect-network', networkPath });
}

test('a network that never ends is stopped', async () => {
  const graph = new OnnxGraph('endless');
  const input = graph.input('input', [1, 512]);
  let large = matrix(graph, 4096);
  // Each step takes a second or more.
  for (let k = 0; k < 1000; k++) large = graph.node('MatMul', [large, large]);
  const none = graph.node('Mul', [graph.node('ReduceMax', [large]), graph.scalar(0)]);
  const sum = graph.node('Reshape', [none, graph.integers([1, 1])]);
  graph.output('output', [1, 512], graph.node('Add', [input, sum]));
  await assert.rejects(inspect('endless', graph), { code: 'RESOURCE_LIMIT' });
});

test('a network that asks for more memory than there is is refused in a sentence', async () => {
  const graph = new OnnxGraph('huge');
  const input = graph.input('input', [1, 512]);
  const none = graph.node('Mul', [graph.node('ReduceMax', [matrix(graph, 4_000_000)]), graph.scalar(0)]);
  const sum = graph.node('Reshape', [none, graph.integers([1, 1])]);
  graph.output('output', [1, 512], graph.node('Add', [input, sum]));
  const found = await inspect('huge', graph);
  assert.ok('problem' in found && /memory/i.test(found.problem), JSON.stringify(found));
});

test('a swap whose network runs out of memory fails in a sentence, and the process is started anew', async () => {
  const graph = new OnnxGraph('huge restorer');
  const input = graph.input('input', [1, 3, 256, 256]);
  const none = graph.node('Mul', [graph.node('ReduceMax', [matrix(graph, 4_000_000)]), graph.scalar(0)]);
  graph.output('output', [1, 3, 256, 256], graph.node('Add', [input, none]));
  const file = path.join(folder, 'huge-restorer.onnx');
  await writeFile(file, graph.encode());
  const swap = (networks?: SwapNetworks) =>
    patient.run({
      kind: 'swap-image',
      sourcePath: DEMO_FACES.source,
      targetPath: DEMO_FACES.target,
      outputPath: path.join(folder, 'out.jpg'),
      options: { restore: { faceRestoreVisibility: 1, restoreVisibility: 1 } },
      maxPixels: 10_000_000,
      networks,
    });
  await patient.whenReady();
  const { pid } = patient;
  const restorer = { id: 'huge', sha256: '', protocol: 'gpen-256', file } as const;
  await assert.rejects(swap({ restorer }), {
    code: 'ENGINE_UNAVAILABLE',
    message: 'The engine of this task ran out of memory.',
  });
  assert.equal((await swap()).contentType, 'image/jpeg');
  assert.notEqual(patient.pid, pid);
});

test('the process swaps on after that', async () => {
  const graph = new OnnxGraph('converter');
  graph.output('output', [1, 512], graph.node('Neg', [graph.input('input', [1, 512])]));
  assert.deepEqual(await inspect('converter', graph), { protocol: 'converter' });
});
