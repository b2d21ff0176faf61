/**
 * Asks the runtimes that the face models were made for what they answer to a synthetic picture, and
 * writes it to packages/engine/src/models/goldens. The unit tests hold the converted models to
 * these files. Run it by hand when a weight package changes: `node launch.cjs
 * scripts/make-model-goldens.ts`. Takes about half a minute.
 *
 * The runtimes are the TensorFlow.js copies inside @vladmandic/human and @vladmandic/face-api, on
 * their plain JavaScript backend. MediaPipe's attention mesh is checked by
 * scripts/make-mesh-goldens.ts.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { goldenOutput } from '../packages/engine/src/models/goldens/golden.ts';
import type { Golden } from '../packages/engine/src/models/goldens/golden.ts';
import { syntheticInput } from '../packages/engine/src/models/goldens/synthetic-input.ts';
import { IRIS_NODE } from '@guise/engine/models/recipes/iris.ts';
import { packageFile, packageVersion } from '@guise/engine/models/assets/package-files.ts';
import type { WeightPackage } from '@guise/engine/models/assets/package-files.ts';

const GOLDENS_DIR = path.resolve(import.meta.dirname, '../packages/engine/src/models/goldens');

/** The part of TensorFlow.js that is used here. */
interface TensorflowTensor {
  readonly shape: number[];
  data(): Promise<Float32Array>;
}
interface Tensorflow {
  readonly version: Record<string, string>;
  setBackend(name: string): Promise<boolean>;
  tensor(values: Float32Array, shape: number[]): TensorflowTensor;
  loadGraphModel(handler: { load(): Promise<unknown> }): Promise<{
    execute(input: TensorflowTensor, outputs: string[]): TensorflowTensor[] | TensorflowTensor;
  }>;
  io: { decodeWeights(bytes: ArrayBuffer, specs: unknown): Record<string, TensorflowTensor> };
}

interface GraphModelJson {
  format: string;
  modelTopology: { node: { op: string; attr?: { shape?: { shape: { dim: { size: string }[] } } } }[] };
  weightsManifest: { paths: string[]; weights: unknown }[];
}

interface Recipe {
  readonly golden: string;
  readonly model: string;
  readonly height: number;
  readonly width: number;
  readonly low: number;
  readonly high: number;
  /** Nodes whose values follow one another in each of our outputs, by the output's name. */
  readonly outputs: Readonly<Record<string, readonly string[]>>;
}

const BLAZEFACE_LAYER = 'StatefulPartitionedCall/functional_1/conv2d_';
// The heads before the fixed reshape, so that the graph can run at other sizes; in memory the
// values are the same.
const BLAZEFACE_OUTPUTS = {
  logits: [`${BLAZEFACE_LAYER}33/BiasAdd`, `${BLAZEFACE_LAYER}34/BiasAdd`],
  boxes: [`${BLAZEFACE_LAYER}35/BiasAdd`, `${BLAZEFACE_LAYER}36/BiasAdd`],
};

const RECIPES: readonly Recipe[] = [
  {
    golden: 'blazeface',
    model: 'blazeface',
    height: 256,
    width: 256,
    low: -1,
    high: 1,
    outputs: BLAZEFACE_OUTPUTS,
  },
  {
    golden: 'blazeface-open-size',
    model: 'blazeface',
    height: 224,
    width: 352,
    low: -1,
    high: 1,
    outputs: BLAZEFACE_OUTPUTS,
  },
  {
    golden: 'iris',
    model: 'iris',
    height: 64,
    width: 64,
    low: 0,
    high: 1,
    outputs: { iris: [IRIS_NODE] },
  },
  {
    golden: 'hand-landmarks',
    model: 'handlandmark-lite',
    height: 224,
    width: 224,
    low: 0,
    high: 1,
    outputs: { landmarks: ['Identity'], presence: ['Identity_1'] },
  },
  {
    golden: 'faceres',
    model: 'faceres',
    height: 224,
    width: 224,
    low: -120,
    high: 130,
    outputs: {
      embedding: ['global_pooling/Mean'],
      gender: ['gender_pred/Sigmoid'],
      age: ['age_pred/Softmax'],
    },
  },
];

// The bundles were built for browsers: if there is a window, they do not look for Node's modules,
// which they lack.
Object.assign(globalThis, { window: { document: {} }, document: {} });

await makeGraphModelGoldens();
await makeRecognitionGolden();

async function makeGraphModelGoldens(): Promise<void> {
  const url = pathToFileURL(packageFile('@vladmandic/human', 'dist/tfjs.esm.js')).href;
  const tensorflow = (await import(url)) as Tensorflow;
  await tensorflow.setBackend('cpu');
  for (const recipe of RECIPES) {
    const { height, width, low, high } = recipe;
    const model = await tensorflow.loadGraphModel({ load: () => loadArtifacts(recipe.model) });
    const picture = syntheticInput(height, width, low, high);
    const input = tensorflow.tensor(picture, [1, height, width, 3]);
    const outputs: Golden['outputs'] = Object.fromEntries(
      await Promise.all(
        Object.entries(recipe.outputs).map(async ([name, nodes]) => {
          const tensors = [model.execute(input, [...nodes])].flat();
          const parts = await Promise.all(tensors.map((tensor) => tensor.data()));
          return [name, goldenOutput(Float32Array.from(parts.flatMap((part) => Array.from(part))))] as const;
        }),
      ),
    );
    await write(recipe.golden, {
      runtime: runtimeName('@vladmandic/human'),
      height,
      width,
      low,
      high,
      outputs,
    });
  }
}

/** Loads the model in the form that TensorFlow.js takes, with the input's size left open. */
async function loadArtifacts(name: string): Promise<unknown> {
  const file = packageFile('@vladmandic/human', `models/${name}.json`);
  const json = JSON.parse(await readFile(file, 'utf8')) as GraphModelJson;
  for (const node of json.modelTopology.node) {
    if (node.op === 'Placeholder') for (const size of node.attr!.shape!.shape.dim) size.size = '-1';
  }
  const [group] = json.weightsManifest;
  const bytes = await readFile(path.join(path.dirname(file), group!.paths[0]!));
  return {
    format: json.format,
    modelTopology: json.modelTopology,
    weightSpecs: group!.weights,
    weightData: new Uint8Array(bytes).buffer,
  };
}

async function makeRecognitionGolden(): Promise<void> {
  const url = pathToFileURL(packageFile('@vladmandic/face-api', 'dist/face-api.esm.js')).href;
  const faceApi = (await import(url)) as {
    tf: Tensorflow;
    NetInput: new (tensors: TensorflowTensor[]) => unknown;
    FaceRecognitionNet: new () => {
      loadFromWeightMap(weights: Record<string, TensorflowTensor>): void;
      forwardInput(input: unknown): TensorflowTensor;
    };
  };
  await faceApi.tf.setBackend('cpu');
  const manifestPath = packageFile(
    '@vladmandic/face-api',
    'model/face_recognition_model-weights_manifest.json',
  );
  const [group] = JSON.parse(await readFile(manifestPath, 'utf8')) as GraphModelJson['weightsManifest'];
  const bytes = await readFile(path.join(path.dirname(manifestPath), group!.paths[0]!));
  const network = new faceApi.FaceRecognitionNet();
  network.loadFromWeightMap(faceApi.tf.io.decodeWeights(new Uint8Array(bytes).buffer, group!.weights));
  const size = { height: 150, width: 150, low: 0, high: 255 };
  const picture = syntheticInput(size.height, size.width, size.low, size.high);
  const input = new faceApi.NetInput([faceApi.tf.tensor(picture, [150, 150, 3])]);
  const embedding = goldenOutput(await network.forwardInput(input).data());
  await write('face-recognition', {
    runtime: runtimeName('@vladmandic/face-api'),
    ...size,
    outputs: { embedding },
  });
}

function runtimeName(name: WeightPackage): string {
  return `TensorFlow.js (cpu) of ${name} ${packageVersion(name)}`;
}

async function write(name: string, golden: Golden): Promise<void> {
  await writeFile(path.join(GOLDENS_DIR, `${name}.json`), `${JSON.stringify(golden)}\n`);
  console.log(name);
}
