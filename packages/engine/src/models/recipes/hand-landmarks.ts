import { Layers } from '../conversion/layers.ts';
import { OnnxGraph } from '../conversion/onnx-graph.ts';
import { packageFile } from '../assets/package-files.ts';
import { readTfjsModel, TfjsGraph } from '../conversion/tfjs-graph.ts';

/**
 * Builds MediaPipe's hand landmarks, lite (Zhang et al. 2020), from @vladmandic/human.
 *
 * `input` [1, 3, 224, 224]: RGB, value / 255, a square around the hand with the fingers up.
 *
 * `landmarks` [1, 63]: 21 x (x, y, z) in crop pixels: the wrist, then four joints per finger, from
 * the thumb's base to the tip of the little finger. `presence` [1, 1]: probability of a hand, 0..1.
 */
export async function buildHandLandmarks(): Promise<OnnxGraph> {
  const model = await readTfjsModel(packageFile('@vladmandic/human', 'models/handlandmark-lite.json'));
  const graph = new OnnxGraph('hand_landmarks');
  const layers = new Layers(graph, { channelBlock: 16 });
  const source = new TfjsGraph(model, layers, layers.imageInput(224, 224));
  graph.output('landmarks', [1, 63], source.tensor('Identity').value);
  graph.output('presence', [1, 1], source.tensor('Identity_1').value);
  return graph;
}
