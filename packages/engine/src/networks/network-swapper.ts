import { readFile } from 'node:fs/promises';
import type { Provider } from '@guise/contract/engines.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { type ImagePyramid, pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import {
  boxOfCrop,
  type ChangedCrop,
  cropFace,
  joinPhases,
  normalised,
  splitPhases,
  toLevels,
} from './crop.ts';
import { Graph } from './graph.ts';
import { readNpyMatrix } from './npy-matrix.ts';
import { readOnnxFile } from './onnx-file.ts';
import {
  IDENTITY_LENGTH,
  PLAIN,
  type NamesOf,
  type ProtocolName,
  PROTOCOLS,
  type SwapperProtocol,
} from './protocols.ts';
import type { Box } from '../face/geometry/box.ts';

/** A network of an operator: its file, and how it is used. */
export interface NetworkFile<Name extends ProtocolName> {
  /** Name that the operator gave it. */
  readonly id: string;
  /** SHA-256 of the file, lower-case hex. */
  readonly sha256: string;
  readonly protocol: Name;
  readonly file: string;
}

/** A network that swaps faces, with those that it needs. */
export interface SwapperFiles extends NetworkFile<NamesOf<'swapper'>> {
  /** Network that describes the source, for a protocol with a vector. */
  readonly recogniser?: string | undefined;
  /** Network that converts the description, for a protocol that needs it. */
  readonly converter?: string | undefined;
  /** File of numpy with the matrix for the source, if the network's own file lacks it. */
  readonly matrix?: string | undefined;
  /** How many times the network's crop is enlarged, 1..4, for `boost`^2 times the work. */
  readonly boost: number;
}

/** Largest number of crops that a network gets at once: they are in memory together. */
const MAX_BATCH = 4;

/** A photo of the source's person. */
export interface SourcePicture {
  readonly image: RgbImage;
  /** 478 x (x, y, z), pixels. */
  readonly landmarks: Float32Array;
}

/** A network that gives an aligned face the look of another person. */
export class NetworkSwapper {
  readonly #protocol: SwapperProtocol;
  readonly #boost: number;
  readonly #swapper: Graph;
  readonly #recogniser: Graph | null;
  readonly #converter: Graph | null;
  readonly #matrix: Float32Array | null;

  private constructor(
    { protocol, boost }: SwapperFiles,
    graphs: { swapper: Graph; recogniser: Graph | null; converter: Graph | null },
    matrix: Float32Array | null,
  ) {
    this.#protocol = PROTOCOLS[protocol];
    this.#boost = boost;
    this.#swapper = graphs.swapper;
    this.#recogniser = graphs.recogniser;
    this.#converter = graphs.converter;
    this.#matrix = matrix;
  }

  /** Opens the networks. Rejects if a file cannot be used or is missing. */
  static async open(files: SwapperFiles, providers?: readonly Provider[]): Promise<NetworkSwapper> {
    const { source }: SwapperProtocol = PROTOCOLS[files.protocol];
    const needsMatrix = source.kind === 'vector' && source.through === 'matrix';
    const matrix = needsMatrix ? await matrixOf(files) : null;
    const graphs = {
      swapper: await Graph.open(files.file, providers),
      recogniser: files.recogniser === undefined ? null : await Graph.open(files.recogniser, providers),
      converter: files.converter === undefined ? null : await Graph.open(files.converter, providers),
    };
    return new NetworkSwapper(files, graphs, matrix);
  }

  /** Makes the source's input from photos of one person, whose vectors are averaged. */
  async describe(photos: readonly SourcePicture[]): Promise<Float32Array> {
    const { source } = this.#protocol;
    const [first] = photos;
    if (source.kind === 'picture') {
      const { levels } = cropFace(pyramidOf(first!.image), first!.landmarks, source.template, source.side);
      return normalised(levels, PLAIN);
    }
    const mean = new Float32Array(IDENTITY_LENGTH);
    for (const photo of photos) {
      const vector = await this.#recognise(photo);
      for (let k = 0; k < mean.length; k++) mean[k]! += vector[k]! / photos.length;
    }
    if (source.through === 'matrix') return unit(timesMatrix(unit(mean), this.#matrix!));
    if (source.through === 'nothing') return unit(mean);
    const name = this.#converter!.inputNames[0]!;
    const input = { data: mean, shape: [1, IDENTITY_LENGTH] };
    const converted = (await this.#converter!.run({ [name]: input }, IDENTITY_LENGTH)).slice();
    return source.isUnit ? unit(converted) : converted;
  }

  /** Runs the network on a face. @param source that `describe` made */
  async swap(pyramid: ImagePyramid, landmarks: Float32Array, source: Float32Array): Promise<ChangedCrop> {
    const { side, template, input, output } = this.#protocol;
    const crop = cropFace(pyramid, landmarks, template, side, this.#boost);
    const phases = splitPhases(normalised(crop.levels, input), side, this.#boost);
    const changed: Float32Array[] = [];
    const together = this.#swapper.takesBatches ? MAX_BATCH : 1;
    for (let k = 0; k < phases.length; k += together)
      for (const phase of await this.#run(phases.slice(k, k + together), source))
        changed.push(toLevels(phase, output));
    return { ...crop, changed: joinPhases(changed, side, this.#boost) };
  }

  /** Returns the part of the picture that the network sees of a face. */
  seenPart(landmarks: Float32Array): Box {
    return boxOfCrop(this.#protocol, landmarks);
  }

  async close(): Promise<void> {
    for (const graph of [this.#swapper, this.#recogniser, this.#converter]) await graph?.close();
  }

  /** Runs the network on several crops at once. @returns what it makes of each */
  async #run(targets: readonly Float32Array[], source: Float32Array): Promise<Float32Array[]> {
    const { side, source: wanted } = this.#protocol;
    const count = targets.length;
    const length = targets[0]!.length;
    const targetName = this.#swapper.targetInput;
    const sourceName = this.#swapper.inputNames.find((name) => name !== targetName)!;
    const outputs = await this.#swapper.run(
      {
        [targetName]: { data: joined(targets), shape: [count, 3, side, side] },
        [sourceName]: {
          data: joined(targets.map(() => source)),
          shape: wanted.kind === 'vector' ? [count, IDENTITY_LENGTH] : [count, 3, wanted.side, wanted.side],
        },
      },
      count * length,
    );
    return targets.map((_, k) => outputs.slice(k * length, (k + 1) * length));
  }

  async #recognise({ image, landmarks }: SourcePicture): Promise<Float32Array> {
    const { side, template, input } = PROTOCOLS.arcface;
    const { levels } = cropFace(pyramidOf(image), landmarks, template, side);
    const graph = this.#recogniser!;
    const data = normalised(levels, input);
    return graph.run({ [graph.inputNames[0]!]: { data, shape: [1, 3, side, side] } }, IDENTITY_LENGTH);
  }
}

/**
 * Returns the matrix that turns a description into what inswapper takes: the file's last constant,
 * unless it has a file of its own.
 */
async function matrixOf({ file, matrix: own }: SwapperFiles): Promise<Float32Array> {
  if (own !== undefined) return readNpyMatrix(await readFile(own), IDENTITY_LENGTH, IDENTITY_LENGTH);
  const matrix = readOnnxFile(await readFile(file)).lastMatrix(IDENTITY_LENGTH, IDENTITY_LENGTH);
  if (matrix === null) throw new Error('The matrix for the source is missing.');
  return matrix;
}

/** Puts lists of one length one after the other. Returns the list itself if it is the only one. */
function joined(lists: readonly Float32Array[]): Float32Array {
  const [first] = lists;
  if (lists.length === 1) return first!;
  const all = new Float32Array(lists.length * first!.length);
  lists.forEach((list, k) => all.set(list, k * list.length));
  return all;
}

/** Multiplies a row vector by a square matrix, given row by row. */
function timesMatrix(vector: Float32Array, matrix: Float32Array): Float32Array {
  const product = new Float32Array(vector.length);
  for (let row = 0; row < vector.length; row++)
    for (let column = 0; column < vector.length; column++)
      product[column]! += vector[row]! * matrix[row * vector.length + column]!;
  return product;
}

/** Returns the vector of length 1 in the same direction. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / (length || 1));
}
