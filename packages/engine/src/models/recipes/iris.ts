import { Layers } from '../conversion/layers.ts';
import { OnnxGraph } from '../conversion/onnx-graph.ts';
import { packageFile } from '../assets/package-files.ts';
import { readTfjsModel, TfjsGraph } from '../conversion/tfjs-graph.ts';

/** Node of the model that gives the points of the iris. */
export const IRIS_NODE = 'StatefulPartitionedCall/model/conv_iris/BiasAdd';

/**
 * Builds MediaPipe Iris (Ablavatski et al. 2020), from @vladmandic/human.
 *
 * `input` [1, 3, 64, 64]: RGB, value / 255, an upright square of 2.3 times the distance of the
 * eye's corners. The eye at the image's right is mirrored, because the model knows only one side.
 *
 * `iris` [1, 15]: its centre and 4 rim points, each (x, y, z) in crop pixels; z has no meaning. The
 * model's other branch, points of eye and brow, is left out because it is not needed.
 */
export async function buildIris(): Promise<OnnxGraph> {
  const model = await readTfjsModel(packageFile('@vladmandic/human', 'models/iris.json'));
  const graph = new OnnxGraph('iris');
  const layers = new Layers(graph);
  const points = new TfjsGraph(model, layers, layers.imageInput(64, 64)).tensor(IRIS_NODE);
  graph.output('iris', [1, 15], layers.reshape(points, [1, 15]).value);
  return graph;
}
