import { readFlexMap } from '../conversion/flexbuffer.ts';
import { Layers } from '../conversion/layers.ts';
import { readRegionOptions } from '../conversion/mediapipe-operators.ts';
import { readMediapipeAsset } from '../assets/mediapipe-assets.ts';
import { OnnxGraph } from '../conversion/onnx-graph.ts';
import { TfliteGraph } from '../conversion/tflite-graph.ts';
import { readTfliteModel } from '../conversion/tflite-model.ts';

/** Number of the mesh's vertices, without irises. */
const MESH_VERTEX_COUNT = 468;

/** Number of landmarks: the mesh and five points of each iris. */
const LANDMARK_COUNT = 478;

/** Outputs that refine parts of the mesh, in the order of the model's region operators. */
const REFINED_OUTPUTS = ['output_lips', 'output_left_eye', 'output_right_eye'] as const;

/** Outputs that hold the irises, image-left first. */
const IRIS_OUTPUTS = ['output_left_iris', 'output_right_iris'] as const;

/** Points of one iris: its centre and four on its rim. */
const IRIS_POINT_COUNT = 5;

/** Vertices of each eye's rim. The iris gets their mean depth, because the model gives it none. */
const EYE_RIM_VERTICES = [
  [33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173],
  [263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398],
] as const;

/**
 * Builds MediaPipe's attention mesh (Grishchenko et al. 2020), from @mediapipe/face_mesh.
 *
 * `input` [1, 3, 192, 192]: RGB, value / 255, a square of 1.5 times the face's longer side with a
 * horizontal eye line.
 *
 * `mesh` [1, 478, 3] is in crop pixels (z in the same scale, negative towards the camera): 468
 * vertices with lips and eyes replaced by the refined ones, then both irises, image-left first,
 * with centre and 4 rim points each, as MediaPipe's landmarks refinement calculator combines them.
 * `logit` [1, 1] is above 0 if there is a face.
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
  const mesh = points('output_mesh_identity', MESH_VERTEX_COUNT, 3);
  const columns = (from: number, to: number): string =>
    graph.node('Slice', [mesh, graph.integers([from]), graph.integers([to]), graph.integers([1])]);
  const depth = columns(2, 3);

  // Makes one list of all candidate positions, then for each landmark the index of the best one.
  const positions = graph.node(
    'Concat',
    [
      columns(0, 2),
      ...REFINED_OUTPUTS.map((name, region) => points(name, subsets[region]!.length, 2)),
      ...IRIS_OUTPUTS.map((name) => points(name, IRIS_POINT_COUNT, 2)),
    ],
    { axis: 0 },
  );
  const best = graph.node('Gather', [positions, graph.integers(bestPositions(subsets))], { axis: 0 });
  const irisDepths = EYE_RIM_VERTICES.map((rim) => {
    const rimDepth = graph.node('Gather', [depth, graph.integers(rim)], { axis: 0 });
    const mean = graph.node('ReduceMean', [rimDepth], { axes: [0], keepdims: 1 });
    return graph.node('Expand', [mean, graph.integers([IRIS_POINT_COUNT, 1])]);
  });
  const depths = graph.node('Concat', [depth, ...irisDepths], { axis: 0 });
  const landmarks = graph.node('Concat', [best, depths], { axis: 1 });
  graph.output(
    'mesh',
    [1, LANDMARK_COUNT, 3],
    graph.node('Reshape', [landmarks, graph.integers([1, LANDMARK_COUNT, 3])]),
  );
  graph.output('logit', [1, 1], points('conv_faceflag', 1, 1));
  return graph;
}

/**
 * Returns each landmark's row in the list of candidates: mesh, refined regions, irises. Later
 * regions have priority over earlier ones.
 */
function bestPositions(subsets: readonly (readonly number[])[]): number[] {
  const rows = Array.from({ length: LANDMARK_COUNT }, (_, i) => i);
  let next = MESH_VERTEX_COUNT;
  for (const subset of subsets) {
    for (const landmark of subset) rows[landmark] = next++;
  }
  for (let landmark = MESH_VERTEX_COUNT; landmark < LANDMARK_COUNT; landmark++) rows[landmark] = next++;
  return rows;
}
