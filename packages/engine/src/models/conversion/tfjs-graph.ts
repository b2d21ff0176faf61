import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Convolution, Layers, Padding, Tensor } from './layers.ts';
import { readWeights, weightNamed } from './tfjs-weights.ts';
import type { Weight, WeightManifest, Weights } from './tfjs-weights.ts';
import { depthwiseToOihw, hwioToOihw } from './weight-layout.ts';

/** A TensorFlow.js graph model: model.json and its weights. */
export interface TfjsModel {
  readonly nodes: ReadonlyMap<string, TfjsNode>;
  readonly weights: Weights;
}

interface TfjsNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: Readonly<Record<string, TfjsAttribute>>;
}

interface TfjsAttribute {
  /** Text in base64. */
  readonly s?: string;
  readonly b?: boolean;
  readonly list?: { readonly i?: readonly (string | number)[]; readonly s?: readonly string[] };
}

export async function readTfjsModel(jsonPath: string): Promise<TfjsModel> {
  const json = JSON.parse(await readFile(jsonPath, 'utf8')) as {
    modelTopology: { node: TfjsNode[] };
    weightsManifest: WeightManifest;
  };
  const weights = await readWeights(json.weightsManifest, path.dirname(jsonPath));
  return { nodes: new Map(json.modelTopology.node.map((node) => [node.name, node])), weights };
}

/**
 * Builds the ONNX nodes of a TensorFlow.js graph on demand: `tensor(name)` converts the node of
 * that name and all nodes on which it depends. Supports the operations of the face models, and
 * throws on others.
 */
export class TfjsGraph {
  readonly #model: TfjsModel;
  readonly #layers: Layers;
  readonly #input: Tensor;
  readonly #tensors = new Map<string, Tensor>();

  /** @param input takes the place of the model's only placeholder */
  constructor(model: TfjsModel, layers: Layers, input: Tensor) {
    this.#model = model;
    this.#layers = layers;
    this.#input = input;
  }

  /** Converts the model's results, in the file's order. */
  outputs(): Tensor[] {
    const nodes = [...this.#model.nodes.values()];
    return nodes.filter((node) => node.op === 'Identity').map((node) => this.tensor(node.name));
  }

  tensor(reference: string): Tensor {
    const name = nodeName(reference);
    let tensor = this.#tensors.get(name);
    if (!tensor) {
      tensor = this.#convert(this.#node(name));
      this.#tensors.set(name, tensor);
    }
    return tensor;
  }

  #convert(node: TfjsNode): Tensor {
    const layers = this.#layers;
    const x = (): Tensor => this.tensor(inputOf(node, 0));
    switch (node.op) {
      case 'Placeholder':
        return this.#input;
      case 'Identity':
        return x();
      case 'Conv2D':
      case '_FusedConv2D':
        return this.#convolution(node, false);
      case 'DepthwiseConv2dNative':
        return this.#convolution(node, true);
      case '_FusedMatMul':
        return this.#dense(node);
      case 'Add':
      case 'AddV2':
      case 'AddN':
        return this.#arithmetic(node, 'Add');
      case 'Mul':
        return this.#arithmetic(node, 'Mul');
      case 'Relu':
        return layers.relu(x());
      case 'Relu6':
        return layers.clip(x(), 0, 6);
      case 'Minimum':
        return layers.unary(x(), 'Min', [layers.graph.scalar(this.#constant(inputOf(node, 1)).data[0]!)]);
      case 'Maximum':
        return this.#maximum(node);
      case 'Sigmoid':
        return layers.sigmoid(x());
      case 'Softmax':
        return layers.unary(x(), 'Softmax');
      case 'Prelu':
        return layers.prelu(x(), this.#constant(inputOf(node, 1)).data);
      case 'MaxPool':
        return this.#maxPool(node);
      case 'Pad':
        return this.#pad(node);
      case 'Reshape':
        return layers.reshape(x(), [...this.#constant(inputOf(node, 1)).data]);
      case 'ConcatV2': {
        const references = node.input!;
        const parts = references.slice(0, -1).map((reference) => this.tensor(reference));
        return layers.concat(parts, this.#constant(references.at(-1)!).data[0]!);
      }
      case 'Mean':
        return layers.globalMean(x(), node.attr?.keep_dims?.b ?? false);
      default:
        throw new Error(`Unknown operation ${node.op} at ${node.name}`);
    }
  }

  #convolution(node: TfjsNode, depthwise: boolean): Tensor {
    const { shape, data } = this.#constant(inputOf(node, 1));
    const [height, width, inputs, last] = shape as [number, number, number, number];
    const strides = integers(node, 'strides');
    const dilations = node.attr?.dilations ? integers(node, 'dilations') : [1, 1, 1, 1];
    const layer: Omit<Convolution, 'bias'> = {
      weights: depthwise ? depthwiseToOihw(data, shape) : hwioToOihw(data, shape),
      weightShape: depthwise ? [inputs * last, 1, height, width] : [last, inputs, height, width],
      kernel: [height, width],
      strides: [strides[1]!, strides[2]!],
      dilations: [dilations[1]!, dilations[2]!],
      padding: text(node.attr!.padding!.s!) as Padding,
      depthwise,
    };
    return this.#fused(node, (bias) =>
      this.#layers.convolution(this.tensor(inputOf(node, 0)), { ...layer, bias }),
    );
  }

  #dense(node: TfjsNode): Tensor {
    const { data, shape } = this.#constant(inputOf(node, 1));
    return this.#fused(node, (bias) => this.#layers.dense(this.tensor(inputOf(node, 0)), data, shape, bias));
  }

  /** Converts a node with fused operations, whose constants are its third and further inputs. */
  #fused(node: TfjsNode, build: (bias: Float32Array | null) => Tensor): Tensor {
    const operations = (node.attr?.fused_ops?.list?.s ?? []).map(text);
    const constants = node.input!.slice(2).map((reference) => this.#constant(reference).data);
    const bias = operations[0] === 'BiasAdd' ? (constants.shift() as Float32Array) : null;
    let result = build(bias);
    for (const operation of operations.slice(bias ? 1 : 0)) {
      if (operation === 'Relu') result = this.#layers.relu(result);
      else if (operation === 'Prelu') result = this.#layers.prelu(result, constants.shift()!);
      else throw new Error(`Unknown fused operation ${operation} at ${node.name}`);
    }
    return result;
  }

  #arithmetic(node: TfjsNode, operator: 'Add' | 'Mul'): Tensor {
    if (node.input!.length !== 2) throw new Error(`Unknown sum at ${node.name}`);
    const first = this.#constantOrNull(inputOf(node, 0));
    const constant = first ?? this.#constantOrNull(inputOf(node, 1));
    const x = this.tensor(inputOf(node, first ? 1 : 0));
    if (!constant) return this.#layers.unary(x, operator, [this.tensor(inputOf(node, 1)).value]);
    const { graph } = this.#layers;
    if (x.layout !== 'nchw')
      return this.#layers.unary(x, operator, [graph.floats(constant.data, constant.shape)]);
    const perChannel = new Float32Array(x.storedChannels);
    perChannel.set(constant.data);
    return this.#layers.unary(x, operator, [graph.floats(perChannel, [perChannel.length, 1, 1])]);
  }

  /**
   * Converts max(min(relu(x), high), low), which is an exported clipped relu, to one Clip, which
   * fuses into the convolution.
   */
  #maximum(node: TfjsNode): Tensor {
    const low = this.#constant(inputOf(node, 1)).data[0]!;
    const minimum = this.#node(inputOf(node, 0));
    if (minimum.op !== 'Minimum') throw new Error(`Unknown use of Maximum at ${node.name}`);
    const high = this.#constant(inputOf(minimum, 1)).data[0]!;
    const inner = this.#node(inputOf(minimum, 0));
    const clipped = inner.op === 'Relu' && low === 0 ? inputOf(inner, 0) : inner.name;
    return this.#layers.clip(this.tensor(clipped), low, high);
  }

  #maxPool(node: TfjsNode): Tensor {
    const kernel = integers(node, 'ksize');
    const strides = integers(node, 'strides');
    return this.#layers.pool(this.tensor(inputOf(node, 0)), 'MaxPool', {
      kernel: [kernel[1]!, kernel[2]!],
      strides: [strides[1]!, strides[2]!],
      padding: text(node.attr!.padding!.s!) as Padding,
    });
  }

  #pad(node: TfjsNode): Tensor {
    const x = this.tensor(inputOf(node, 0));
    const [n0, n1, top, bottom, left, right, before, after] = this.#constant(inputOf(node, 1)).data;
    if (n0 || n1 || before) throw new Error(`Unknown padding at ${node.name}`);
    if (after && !(top || bottom || left || right)) return this.#layers.appendChannels(x, after);
    if (after) throw new Error(`Unknown padding at ${node.name}`);
    return this.#layers.padBorder(x, [top!, bottom!], [left!, right!]);
  }

  #node(reference: string): TfjsNode {
    const node = this.#model.nodes.get(nodeName(reference));
    if (!node) throw new Error(`The model has no node ${reference}`);
    return node;
  }

  #constant(reference: string): Weight {
    const constant = this.#constantOrNull(reference);
    if (!constant) throw new Error(`${reference} is not a constant`);
    return constant;
  }

  #constantOrNull(reference: string): Weight | null {
    let node = this.#node(reference);
    while (node.op === 'Identity') node = this.#node(inputOf(node, 0));
    return node.op === 'Const' ? weightNamed(this.#model.weights, node.name) : null;
  }
}

/**
 * Returns the node's name without an output number (`name:0`) or the mark of a control dependency
 * (`^name`).
 */
function nodeName(reference: string): string {
  return reference.replace(/^\^/, '').replace(/:\d+$/, '');
}

function inputOf(node: TfjsNode, index: number): string {
  const reference = node.input?.[index];
  if (reference === undefined) throw new Error(`${node.name} has no input ${index}`);
  return reference;
}

function integers(node: TfjsNode, attribute: string): number[] {
  return node.attr![attribute]!.list!.i!.map(Number);
}

function text(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}
