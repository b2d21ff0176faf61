import type { Provider } from '@guise/contract/engines.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Evidence } from '../mesh/front/evidence.ts';
import { cropFace, normalised } from './crop.ts';
import { Graph } from './graph.ts';
import type { NetworkFile } from './network-swapper.ts';
import { type MaskerProtocol, type NamesOf, PARSER_CLASSES, PROTOCOLS } from './protocols.ts';

/**
 * Classes of a parser (CelebAMask-HQ) that hide a face where its mesh is: background, which is also
 * the class of hands; cloth, hair, hats. Glasses are left to guise, which keeps the eyes behind a
 * lens.
 */
const HIDING_CLASSES: ReadonlySet<number> = new Set([0, 16, 17, 18]);

/** A network of an operator that says what hides a face. */
export class NetworkMasker {
  readonly #protocol: MaskerProtocol;
  readonly #graph: Graph;

  private constructor(protocol: MaskerProtocol, graph: Graph) {
    this.#protocol = protocol;
    this.#graph = graph;
  }

  /** Opens the network. Rejects if the file cannot be used or is missing. */
  static async open(
    { file, protocol }: NetworkFile<NamesOf<'masker'>>,
    providers?: readonly Provider[],
  ): Promise<NetworkMasker> {
    return new NetworkMasker(PROTOCOLS[protocol], await Graph.open(file, providers));
  }

  /** Finds what hides a face. @param landmarks pixels of the pyramid's image */
  async look(pyramid: ImagePyramid, landmarks: Float32Array): Promise<Evidence> {
    const { side, template, input, says } = this.#protocol;
    const { toImage, levels } = cropFace(pyramid, landmarks, template, side);
    const planes = normalised(levels, input);
    const fed =
      says === 'classes'
        ? { data: planes, shape: [1, 3, side, side] }
        : { data: asPixels(planes), shape: [1, side, side, 3] };
    const output = await this.#graph.run({ [this.#graph.inputNames[0]!]: fed }, maskLength(this.#protocol));
    return { toImage, side, covered: says === 'classes' ? hiddenByClass(output) : hiddenByShare(output) };
  }

  close(): Promise<void> {
    return this.#graph.close();
  }
}

/** Returns the number of values that a masker gives. */
export function maskLength({ side, says }: MaskerProtocol): number {
  return (says === 'classes' ? PARSER_CLASSES : 1) * side * side;
}

/** Puts blue, green and red of each pixel side by side, as XSeg takes them. */
function asPixels(planes: Float32Array): Float32Array {
  const count = planes.length / 3;
  const pixels = new Float32Array(planes.length);
  for (let i = 0; i < count; i++)
    for (let c = 0; c < 3; c++) pixels[3 * i + c] = planes[(2 - c) * count + i]!;
  return pixels;
}

/**
 * Returns 0 for a pixel that shows the face for three quarters or more, and 1 below one quarter.
 */
function hiddenByShare(visible: Float32Array): Float32Array {
  return visible.map((share) => Math.min(1, Math.max(0, 1.5 - 2 * share)));
}

/** Returns 1 for a pixel whose highest score is that of a hiding class, and 0 for any other. */
function hiddenByClass(scores: Float32Array): Float32Array {
  const count = scores.length / PARSER_CLASSES;
  const hidden = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let best = 0;
    for (let k = 1; k < PARSER_CLASSES; k++) if (scores[k * count + i]! > scores[best * count + i]!) best = k;
    hidden[i] = HIDING_CLASSES.has(best) ? 1 : 0;
  }
  return hidden;
}
