import { Layers } from '../conversion/layers.ts';
import { OnnxGraph } from '../conversion/onnx-graph.ts';
import { packageFile } from '../assets/package-files.ts';
import { readTfjsModel, TfjsGraph } from '../conversion/tfjs-graph.ts';

/**
 * Builds BlazeFace, back camera (Bazarevsky et al. 2019), from @vladmandic/human.
 *
 * `input` [1, 3, height, width]: RGB, value / 127.5 - 1, both sides multiples of 32. The network
 * was trained at 256 x 256, but is fully convolutional, so a larger input finds smaller faces.
 *
 * Outputs are in input pixels. They have a row for each anchor (stride 16 with 2 anchors per cell,
 * then stride 32 with 6, row major). `boxes` [1, n, 16]: centre x, y, width, height, then 6 x (x,
 * y) of image-left eye, image-right eye, nose, mouth, image-left ear, image-right ear. Positions
 * are relative to the anchor's centre. `logits` [1, n, 1].
 */
export async function buildBlazeface(): Promise<OnnxGraph> {
  const model = await readTfjsModel(packageFile('@vladmandic/human', 'models/blazeface.json'));
  const graph = new OnnxGraph('blazeface');
  const layers = new Layers(graph, { openSize: true, channelBlock: 16 });
  const heads = new TfjsGraph(model, layers, layers.imageInput(256, 256)).outputs();
  const join = (width: number): string => {
    const finestFirst = heads
      .filter((head) => head.shape.at(-1) === width)
      .sort((a, b) => (b.shape[1] ?? 0) - (a.shape[1] ?? 0));
    return layers.concat(finestFirst, 1).value;
  };
  graph.output('boxes', [1, 'anchors', 16], join(16));
  graph.output('logits', [1, 'anchors', 1], join(1));
  return graph;
}
