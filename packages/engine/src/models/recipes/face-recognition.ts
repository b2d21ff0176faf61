import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Layers } from '../conversion/layers.ts';
import type { Padding, Tensor } from '../conversion/layers.ts';
import { OnnxGraph } from '../conversion/onnx-graph.ts';
import { packageFile } from '../assets/package-files.ts';
import { floatsNamed, readWeights, weightNamed } from '../conversion/tfjs-weights.ts';
import type { WeightManifest, Weights } from '../conversion/tfjs-weights.ts';
import { hwioToOihw } from '../conversion/weight-layout.ts';

/** Mean red, green and blue of the training set. */
const MEAN_RGB = [122.782, 117.001, 104.298];

/**
 * Stages of the residual network. Each begins with a block that halves the picture and may double
 * the channels, followed by plain blocks.
 */
const STAGES = [
  { down: null, blocks: ['conv32_1', 'conv32_2', 'conv32_3'] },
  { down: 'conv64_down', blocks: ['conv64_1', 'conv64_2', 'conv64_3'] },
  { down: 'conv128_down', blocks: ['conv128_1', 'conv128_2'] },
  { down: 'conv256_down', blocks: ['conv256_1', 'conv256_2'] },
  { down: 'conv256_down_out', blocks: [] },
];

/**
 * Builds dlib's face recognition network (a ResNet-34 with fewer layers, King 2017), from
 * @vladmandic/face-api. That package contains weights without a graph, so its faceRecognitionNet is
 * written out here.
 *
 * `input` [1, 3, 150, 150]: RGB 0..255, dlib's aligned chip. `embedding` [1, 128]: compared by
 * Euclidean distance, which is below about 0.6 for the same person.
 */
export async function buildFaceRecognition(): Promise<OnnxGraph> {
  const weights = await readRecognitionWeights();
  const graph = new OnnxGraph('face_recognition');
  const layers = new Layers(graph);
  const image = layers.imageInput(150, 150);
  const centred = layers.unary(image, 'Sub', [graph.floats(MEAN_RGB, [3, 1, 1])]);
  const normalised = layers.unary(centred, 'Mul', [graph.scalar(1 / 255)]);

  let x = layers.relu(scaledConvolution(layers, weights, normalised, 'conv32_down', 2, 'VALID'));
  x = layers.pool(x, 'MaxPool', { kernel: [3, 3], strides: [2, 2], padding: 'VALID' });
  for (const { down, blocks } of STAGES) {
    if (down) x = halvingBlock(layers, weights, x, down);
    for (const block of blocks) x = residualBlock(layers, weights, x, block);
  }
  const { data, shape } = weightNamed(weights, 'fc');
  graph.output('embedding', [1, 128], layers.dense(layers.globalMean(x, false), data, shape, null).value);
  return graph;
}

async function readRecognitionWeights(): Promise<Weights> {
  const manifestPath = packageFile(
    '@vladmandic/face-api',
    'model/face_recognition_model-weights_manifest.json',
  );
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as WeightManifest;
  return readWeights(manifest, path.dirname(manifestPath));
}

/** Merges a convolution with the following scale and shift per channel into one convolution. */
function scaledConvolution(
  layers: Layers,
  weights: Weights,
  x: Tensor,
  prefix: string,
  stride: number,
  padding: Padding,
): Tensor {
  const filters = weightNamed(weights, `${prefix}/conv/filters`);
  const [height, width, inputs, outputs] = filters.shape as [number, number, number, number];
  const scales = floatsNamed(weights, `${prefix}/scale/weights`);
  const shifts = floatsNamed(weights, `${prefix}/scale/biases`);
  const kernel = hwioToOihw(filters.data, filters.shape);
  const perOutput = kernel.length / outputs;
  for (let i = 0; i < kernel.length; i++) kernel[i]! *= scales[Math.floor(i / perOutput)]!;
  const bias = floatsNamed(weights, `${prefix}/conv/bias`).map((value, i) => value * scales[i]! + shifts[i]!);
  return layers.convolution(x, {
    weights: kernel,
    weightShape: [outputs, inputs, height, width],
    bias,
    kernel: [height, width],
    strides: [stride, stride],
    padding,
    depthwise: false,
  });
}

function residualBlock(layers: Layers, weights: Weights, x: Tensor, name: string): Tensor {
  const first = layers.relu(scaledConvolution(layers, weights, x, `${name}/conv1`, 1, 'SAME'));
  const second = scaledConvolution(layers, weights, first, `${name}/conv2`, 1, 'SAME');
  return layers.relu(layers.add(second, x));
}

/**
 * Adds a residual block that halves the picture. Its shortcut is averaged down and padded with zero
 * channels.
 */
function halvingBlock(layers: Layers, weights: Weights, x: Tensor, name: string): Tensor {
  const first = layers.relu(scaledConvolution(layers, weights, x, `${name}/conv1`, 2, 'VALID'));
  let second = scaledConvolution(layers, weights, first, `${name}/conv2`, 1, 'SAME');
  let shortcut = layers.pool(x, 'AveragePool', { kernel: [2, 2], strides: [2, 2], padding: 'VALID' });
  // Unpadded strides lose a row and a column that the average keeps. Like dlib, this adds them as
  // zeros at the end.
  const missing = shortcut.shape[1]! - second.shape[1]!;
  if (missing > 0) second = layers.padBorder(second, [0, missing], [0, missing]);
  const newChannels = second.shape[3]! - shortcut.shape[3]!;
  if (newChannels > 0) shortcut = layers.appendChannels(shortcut, newChannels);
  return layers.relu(layers.add(shortcut, second));
}
