import { Layers } from '../conversion/layers.ts';
import { OnnxGraph } from '../conversion/onnx-graph.ts';
import { packageFile } from '../assets/package-files.ts';
import { readTfjsModel, TfjsGraph } from '../conversion/tfjs-graph.ts';

/**
 * Builds HSE-FaceRes (Savchenko 2019), from @vladmandic/human. It is a second, independent measure
 * of identity for measurements.
 *
 * `input` [1, 3, 224, 224]: planes B, G, R minus 103.939, 116.779, 123.68, as in the network's
 * training. (The package itself uses raw RGB, which is measurably worse.) `embedding` [1, 1024]:
 * compared by cosine. `gender` [1, 1]: above 0.5 male. `age` [1, 100]: a distribution over years.
 */
export async function buildFaceres(): Promise<OnnxGraph> {
  const model = await readTfjsModel(packageFile('@vladmandic/human', 'models/faceres.json'));
  const graph = new OnnxGraph('faceres');
  const layers = new Layers(graph);
  const source = new TfjsGraph(model, layers, layers.imageInput(224, 224));
  graph.output('embedding', [1, 1024], source.tensor('global_pooling/Mean').value);
  graph.output('gender', [1, 1], source.tensor('gender_pred/Sigmoid').value);
  graph.output('age', [1, 100], source.tensor('age_pred/Softmax').value);
  return graph;
}
