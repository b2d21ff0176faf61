import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OnnxGraph } from '@guise/engine/models/conversion/onnx-graph.ts';
import { Graph } from '@guise/engine/networks/graph.ts';
import type { SwapNetworks } from '@guise/engine/networks/open-networks.ts';
import { testNetwork } from '@guise/engine/networks/testing/test-networks.ts';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import { pixels } from './engine-bench.ts';
import type { BenchPictures } from './pictures.ts';
import { distribution, type Figure, round } from './report/figures.ts';

/** Side of inswapper's crop, pixels. */
const SIDE = 128;
/** Length of the source's vector. */
const VECTOR = 512;
/** Channels of the widest layers. */
const WIDEST = 1024;
/** Pairs of convolutions of the widest layers: together half a gigabyte of weights. */
const BLOCKS = 6;
/** Turns that are measured. */
const ROUNDS = 15;
/** Turns before them, in which code and memory become warm. */
const WARMUPS = 3;

/**
 * Measures a face drawn by a network of inswapper's size with arbitrary weights, against the bare
 * run of the same network.
 */
export async function benchNetwork(pictures: BenchPictures, modelCacheDir: string): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-network-'));
  try {
    const file = path.join(folder, 'swapper.onnx');
    const recogniser = path.join(folder, 'recogniser.onnx');
    await writeFile(file, largeSwapper());
    await writeFile(recogniser, testNetwork('arcface'));
    const { bare, whole } = await timeInTurns(file, pictures, modelCacheDir, {
      swapper: { id: 'large', sha256: '', protocol: 'inswapper', boost: 1, file, recogniser },
    });
    return [
      { name: 'bare run of the network, p50', value: bare, unit: 'ms' },
      { name: 'photo of one face by the network, without files, p50', value: whole, unit: 'ms' },
      { name: 'speed over the bare run', value: round(bare / whole), unit: 'x', goal: { atLeast: 0.9 } },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures bare runs and whole swaps by turns, because this machine's speed changes. */
async function timeInTurns(
  file: string,
  pictures: BenchPictures,
  modelCacheDir: string,
  networks: SwapNetworks,
): Promise<{ bare: number; whole: number }> {
  const graph = await Graph.open(file);
  const inputs = {
    target: { data: new Float32Array(3 * SIDE * SIDE).fill(0.5), shape: [1, 3, SIDE, SIDE] },
    source: { data: new Float32Array(VECTOR).fill(0.05), shape: [1, VECTOR] },
  };
  const engine = await createEngine({ modelCacheDir });
  const [source, target] = [await pixels(pictures.source), await pixels(pictures.target)];
  const sourceFaces = await engine.detect(source);
  const targetFaces = await engine.detect(target);
  const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };
  const times: Record<'bare' | 'whole', number[]> = { bare: [], whole: [] };
  for (let turn = -WARMUPS; turn < ROUNDS; turn++) {
    const began = performance.now();
    await graph.run(inputs, 3 * SIDE * SIDE);
    const between = performance.now();
    await engine.swapImage({ source, target, sourceFaces, targetFaces, restore }, networks);
    if (turn < 0) continue;
    times.bare.push(between - began);
    times.whole.push(performance.now() - between);
  }
  await graph.close();
  await engine.close();
  return { bare: distribution(times.bare).p50, whole: distribution(times.whole).p50 };
}

/** Writes a network with the inputs, outputs, layers and number of weights of inswapper. */
function largeSwapper(): Buffer {
  const graph = new OnnxGraph('large swapper');
  const source = graph.input('source', [1, VECTOR]);
  const convolve = (input: string, from: number, to: number, size: number, stride = 1): string => {
    const length = from * size * size;
    const values = Float32Array.from({ length }, (_, k) => (2 * Math.sin(k)) / Math.sqrt(length));
    const weights = graph.node('Expand', [
      graph.floats(values, [1, from, size, size]),
      graph.integers([to, from, size, size]),
    ]);
    const pad = (size - 1) / 2;
    return graph.node('Conv', [input, weights], { pads: [pad, pad, pad, pad], strides: [stride, stride] });
  };
  const relu = (input: string): string => graph.node('Relu', [input]);
  let face = relu(convolve(graph.input('target', [1, 3, SIDE, SIDE]), 3, 128, 7));
  for (const width of [256, 512, WIDEST]) face = relu(convolve(face, width / 2, width, 3, 2));
  for (let k = 0; k < BLOCKS; k++) {
    const row = graph.floats(
      Float32Array.from({ length: WIDEST }, (_, k) => Math.cos(k)),
      [1, WIDEST],
    );
    const style = graph.node('MatMul', [
      source,
      graph.node('Expand', [row, graph.integers([VECTOR, WIDEST])]),
    ]);
    const shift = graph.node('Reshape', [style, graph.integers([1, WIDEST, 1, 1])]);
    const inner = relu(graph.node('Add', [convolve(face, WIDEST, WIDEST, 3), shift]));
    face = graph.node('Add', [face, convolve(inner, WIDEST, WIDEST, 3)]);
  }
  for (const width of [WIDEST / 2, WIDEST / 4, WIDEST / 8]) {
    const twice = graph.floats([1, 1, 2, 2], [4]);
    face = graph.node('Resize', [face, '', twice], { mode: 'nearest' });
    face = relu(convolve(face, 2 * width, width, 3));
  }
  graph.output('output', [1, 3, SIDE, SIDE], graph.node('Sigmoid', [convolve(face, 128, 3, 7)]));
  // guise multiplies the source by this matrix before.
  const matrix = new Float32Array(VECTOR * VECTOR);
  for (let k = 0; k < VECTOR; k++) matrix[k * (VECTOR + 1)] = 1;
  graph.floats(matrix, [VECTOR, VECTOR]);
  return graph.encode();
}
