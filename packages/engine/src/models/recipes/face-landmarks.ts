import { readFlexMap } from '../flexbuffer.ts';
import { Layers } from '../layers.ts';
import { readRegionOptions } from '../mediapipe-operators.ts';
import { readMediapipeAsset } from '../mediapipe-assets.ts';
import { OnnxGraph } from '../onnx-graph.ts';
import { TfliteGraph } from '../tflite-graph.ts';
import { readTfliteModel } from '../tflite-model.ts';

const MESH_VERTICES = 468;
const LANDMARKS = 478;

/** The outputs that refine parts of the mesh, in the order of the model's region operators. */
const REFINED_REGIONS = ['output_lips', 'output_left_eye', 'output_right_eye'] as const;
const IRISES = ['output_left_iris', 'output_right_iris'] as const;
const IRIS_POINTS = 5;

/**
 * Rims of the eyes: the model gives its irises no depth, they get the mean depth of their eye's
 * rim.
 */
const EYE_RIMS = [
  [33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173],
  [263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398],
] as const;

/**
 * MediaPipe's attention mesh (Grishchenko et al. 2020), from @mediapipe/face_mesh.
 *
 * `input` [1, 3, 192, 192] RGB, value / 255: a square of 1.5 times the face's longer side, eye line
 * horizontal. `mesh` [1, 478, 3] in crop pixels (z in the same scale, negative towards the camera):
 * 468 vertices with lips and eyes replaced by the refined ones, then both irises, image-left first,
 * centre and 4 rim points each; this is what MediaPipe's landmarks refinement calculator makes of
 * the outputs. `logit` [1, 1]: above 0, a face is there.
 */
export async function buildFaceLandmarks(): Promise<OnnxGraph> {
  const model = readTfliteModel(await readMediapipeAsset('face_landmark_with_attention.tflite'));
  const graph = new OnnxGraph('face_landmarks');
  const layers = new Layers(graph);
  const source = new TfliteGraph(model, layers, layers.imageInput(192, 192));
  const points = (name: string, count: number, width: number): string =>
    graph.node('Reshape', [source.output(name).value, graph.integers([count, width])]);

  const subsets = model.operators
    .filter((operator) => operator.name === 'Landmarks2TransformMatrix')
    .map((operator) => readRegionOptions(readFlexMap(operator.customOptions)).subset);
  const mesh = points('output_mesh_identity', MESH_VERTICES, 3);
  const columns = (from: number, to: number): string =>
    graph.node('Slice', [mesh, graph.integers([from]), graph.integers([to]), graph.integers([1])]);
  const depth = columns(2, 3);

  // All candidate positions in one list, then for each landmark the index of the best one.
  const positions = graph.node(
    'Concat',
    [
      columns(0, 2),
      ...REFINED_REGIONS.map((name, region) => points(name, subsets[region]!.length, 2)),
      ...IRISES.map((name) => points(name, IRIS_POINTS, 2)),
    ],
    { axis: 0 },
  );
  const best = graph.node('Gather', [positions, graph.integers(bestPositions(subsets))], { axis: 0 });
  const irisDepths = EYE_RIMS.map((rim) => {
    const rimDepth = graph.node('Gather', [depth, graph.integers(rim)], { axis: 0 });
    const mean = graph.node('ReduceMean', [rimDepth], { axes: [0], keepdims: 1 });
    return graph.node('Expand', [mean, graph.integers([IRIS_POINTS, 1])]);
  });
  const depths = graph.node('Concat', [depth, ...irisDepths], { axis: 0 });
  const landmarks = graph.node('Concat', [best, depths], { axis: 1 });
  graph.output(
    'mesh',
    [1, LANDMARKS, 3],
    graph.node('Reshape', [landmarks, graph.integers([1, LANDMARKS, 3])]),
  );
  graph.output('logit', [1, 1], points('conv_faceflag', 1, 1));
  return graph;
}

/**
 * For each landmark its row in the list: mesh, then the refined regions, then the irises. Later
 * regions win.
 */
function bestPositions(subsets: readonly (readonly number[])[]): number[] {
  const rows = Array.from({ length: LANDMARKS }, (_, i) => i);
  let next = MESH_VERTICES;
  for (const subset of subsets) {
    for (const landmark of subset) rows[landmark] = next++;
  }
  for (let landmark = MESH_VERTICES; landmark < LANDMARKS; landmark++) rows[landmark] = next++;
  return rows;
}
