import type { Provider } from '@guise/contract/engines.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Box } from '../face/geometry/box.ts';
import { boxOfCrop, type ChangedCrop, cropFace, normalised, toLevels } from './crop.ts';
import { Graph } from './graph.ts';
import type { NetworkFile } from './network-swapper.ts';
import { type NamesOf, PROTOCOLS, type RestorerProtocol } from './protocols.ts';

/** A network that makes a blurred face sharp. */
export class NetworkRestorer {
  readonly #protocol: RestorerProtocol;
  readonly #graph: Graph;

  private constructor(protocol: RestorerProtocol, graph: Graph) {
    this.#protocol = protocol;
    this.#graph = graph;
  }

  /** Opens the network. Rejects if the file cannot be used or is missing. */
  static async open(
    { file, protocol }: NetworkFile<NamesOf<'restorer'>>,
    providers?: readonly Provider[],
  ): Promise<NetworkRestorer> {
    return new NetworkRestorer(PROTOCOLS[protocol], await Graph.open(file, providers));
  }

  /** Runs the network on a face. */
  async restore(pyramid: ImagePyramid, landmarks: Float32Array): Promise<ChangedCrop> {
    const { side, template, input, output } = this.#protocol;
    const crop = cropFace(pyramid, landmarks, template, side);
    const data = normalised(crop.levels, input);
    const restored = await this.#graph.run(
      { [this.#graph.targetInput]: { data, shape: [1, 3, side, side] } },
      data.length,
    );
    return { ...crop, changed: toLevels(restored.slice(), output) };
  }

  /** Returns the part of the picture that the network sees of a face. */
  seenPart(landmarks: Float32Array): Box {
    return boxOfCrop(this.#protocol, landmarks);
  }

  close(): Promise<void> {
    return this.#graph.close();
  }
}
