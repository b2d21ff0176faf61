import type { OnnxGraph } from './onnx-graph.ts';

/**
 * A value of the graph that is being built. `shape` is TensorFlow's: batch, height, width,
 * channels, or the result of a reshape.
 *
 * With layout `nchw`, the ONNX value has channels as its second dimension; `plain` keeps
 * TensorFlow's order.
 */
export interface Tensor {
  readonly value: string;
  readonly shape: readonly number[];
  readonly layout: 'nchw' | 'plain';
  /**
   * Number of channels of the ONNX value. Those beyond the shape's channels are zero (see
   * `channelBlock`).
   */
  readonly storedChannels: number;
}

export type Padding = 'SAME' | 'VALID';

export interface Window {
  /** Height, width. */
  readonly kernel: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly dilations?: readonly [number, number];
  readonly padding: Padding;
}

export interface Convolution extends Window {
  /** Weights in ONNX order: output channels, input channels per group, height, width. */
  readonly weights: Float32Array;
  readonly weightShape: readonly [number, number, number, number];
  readonly bias: Float32Array | null;
  /** True for one group per channel, false for one group of all channels. */
  readonly depthwise: boolean;
}

export interface LayersOptions {
  /**
   * Whether the input's height and width are open. Shapes then hold the native size, on which the
   * graph must not depend.
   */
  readonly openSize?: boolean;
  /**
   * Multiple to which the number of feature channels is rounded up, with channels of zeros.
   * onnxruntime's fast blocked convolution requires multiples of 8 or 16, so it would exclude a
   * layer of 24 or 28 channels.
   */
  readonly channelBlock?: number;
}

/**
 * Adds TensorFlow layers to a graph as ONNX nodes, in NCHW. Layers that onnxruntime runs slowly on
 * a CPU are replaced by layers that it runs fast.
 */
export class Layers {
  readonly graph: OnnxGraph;
  readonly #openSize: boolean;
  readonly #channelBlock: number;

  constructor(graph: OnnxGraph, options: LayersOptions = {}) {
    this.graph = graph;
    this.#openSize = options.openSize ?? false;
    this.#channelBlock = options.channelBlock ?? 1;
  }

  /** Adds the image input `input`, float32 [1, 3, height, width]. */
  imageInput(height: number, width: number): Tensor {
    const size = this.#openSize ? ['height', 'width'] : [height, width];
    const value = this.graph.input('input', [1, 3, ...size]);
    return { value, shape: [1, height, width, 3], layout: 'nchw', storedChannels: 3 };
  }

  /** Adds a node that keeps the shape of its tensor. `more` are further ONNX inputs. */
  unary(x: Tensor, operator: string, more: readonly string[] = []): Tensor {
    return { ...x, value: this.graph.node(operator, [x.value, ...more]) };
  }

  relu(x: Tensor): Tensor {
    return this.unary(x, 'Relu');
  }

  sigmoid(x: Tensor): Tensor {
    return this.unary(x, 'Sigmoid');
  }

  clip(x: Tensor, low: number, high: number): Tensor {
    return this.unary(x, 'Clip', [this.graph.scalar(low), this.graph.scalar(high)]);
  }

  add(x: Tensor, y: Tensor): Tensor {
    return this.unary(x, 'Add', [y.value]);
  }

  convolution(x: Tensor, layer: Convolution): Tensor {
    const stored = this.#storeChannels(x, layer);
    const { attributes, size } = this.#window(x, layer);
    const inputs = [x.value, this.graph.floats(stored.weights, stored.weightShape)];
    if (stored.bias) inputs.push(this.graph.floats(stored.bias, [stored.bias.length]));
    const storedChannels = stored.weightShape[0];
    const group = layer.depthwise ? storedChannels : 1;
    const dilations = [...(layer.dilations ?? [1, 1])];
    const value = this.graph.node('Conv', inputs, { ...attributes, dilations, group });
    return { value, shape: [x.shape[0]!, ...size, layer.weightShape[0]], layout: 'nchw', storedChannels };
  }

  pool(x: Tensor, operator: 'MaxPool' | 'AveragePool', window: Window): Tensor {
    const { attributes, size } = this.#window(x, window);
    const value = this.graph.node(operator, [x.value], attributes);
    return { ...x, value, shape: [x.shape[0]!, ...size, x.shape[3]!] };
  }

  /** Adds a mean over height and width: [n, 1, 1, c] or, without `keepSize`, [n, c]. */
  globalMean(x: Tensor, keepSize: boolean): Tensor {
    const value = this.graph.node('GlobalAveragePool', [x.value]);
    const [n, , , channels] = x.shape as [number, number, number, number];
    if (keepSize) return { ...x, value, shape: [n, 1, 1, channels] };
    const flat = this.graph.node('Flatten', [value], { axis: 1 });
    return { ...x, value: flat, shape: [n, channels], layout: 'plain' };
  }

  /**
   * Adds `x >= 0 ? x : slope * x` with a slope per channel, as x + (1 - slope) * relu(-x) in two
   * depthwise 1 x 1 convolutions. onnxruntime's own PRelu is slow and leaves the blocked layout,
   * which made the landmark models five times slower.
   */
  prelu(x: Tensor, slopes: ArrayLike<number>): Tensor {
    const channels = x.storedChannels;
    const perChannel = (y: Tensor, weights: Float32Array): Tensor =>
      this.convolution(y, {
        weights,
        weightShape: [channels, 1, 1, 1],
        bias: null,
        kernel: [1, 1],
        strides: [1, 1],
        padding: 'VALID',
        depthwise: true,
      });
    const negative = this.relu(perChannel(x, new Float32Array(channels).fill(-1)));
    const complements = new Float32Array(channels);
    for (let i = 0; i < slopes.length; i++) complements[i] = 1 - slopes[i]!;
    return { ...this.add(perChannel(negative, complements), x), shape: x.shape };
  }

  /**
   * Appends `count` zero channels by a 1 x 1 convolution with an identity matrix, because
   * onnxruntime's Pad leaves the blocked layout. No node is needed if the stored channels already
   * hold enough zeros.
   */
  appendChannels(x: Tensor, count: number): Tensor {
    const before = x.shape[3]!;
    const shape = [...x.shape.slice(0, 3), before + count];
    const storedChannels = this.#roundUp(before + count);
    if (storedChannels === x.storedChannels) return { ...x, shape };
    const weights = new Float32Array(storedChannels * x.storedChannels);
    for (let i = 0; i < before; i++) weights[i * x.storedChannels + i] = 1;
    const value = this.graph.node(
      'Conv',
      [x.value, this.graph.floats(weights, [storedChannels, x.storedChannels, 1, 1])],
      { kernel_shape: [1, 1], strides: [1, 1], pads: [0, 0, 0, 0], dilations: [1, 1], group: 1 },
    );
    return { ...x, value, shape, storedChannels };
  }

  /** Adds a border of zeros to the picture: rows above and below, columns left and right. */
  padBorder(x: Tensor, rows: readonly [number, number], columns: readonly [number, number]): Tensor {
    const pads = [0, 0, rows[0], columns[0], 0, 0, rows[1], columns[1]];
    const value = this.graph.node('Pad', [x.value, this.graph.integers(pads)], { mode: 'constant' });
    const [n, height, width, channels] = x.shape as [number, number, number, number];
    const shape = [n, height + rows[0] + rows[1], width + columns[0] + columns[1], channels];
    return { ...x, value, shape };
  }

  /** Adds a dense layer: `x (rows) @ weights [inputs, outputs] + bias`. */
  dense(x: Tensor, weights: ArrayLike<number>, shape: readonly number[], bias: Float32Array | null): Tensor {
    const flat = x.layout === 'nchw' ? this.reshape(x, [x.shape[0]!, -1]) : x;
    const inputs = [flat.value, this.graph.floats(weights, shape)];
    if (bias) inputs.push(this.graph.floats(bias, [shape[1]!]));
    return { ...flat, value: this.graph.node('Gemm', inputs), shape: [x.shape[0]!, shape[1]!] };
  }

  /** Concatenates along `axis` of the TensorFlow shape. A negative axis counts from the end. */
  concat(parts: readonly Tensor[], axis: number): Tensor {
    const first = parts[0] as Tensor;
    const positive = axis < 0 ? axis + first.shape.length : axis;
    const shape = [...first.shape];
    shape[positive] = parts.reduce((sum, part) => sum + part.shape[positive]!, 0);
    const onnxAxis = first.layout === 'nchw' ? [0, 2, 3, 1][positive]! : positive;
    const value = this.graph.node(
      'Concat',
      parts.map((part) => part.value),
      { axis: onnxAxis },
    );
    const storedChannels = parts.reduce((sum, part) => sum + part.storedChannels, 0);
    return { ...first, value, shape, storedChannels };
  }

  /** Reshapes in TensorFlow's order of elements. One size may be -1. */
  reshape(x: Tensor, sizes: readonly number[]): Tensor {
    const ordered = this.#toTensorflowOrder(x);
    const total = product(ordered.shape);
    const known = -product(sizes);
    const shape = sizes.map((size) => (size === -1 ? total / known : size));
    // With an open picture size, the middle dimension (rows times columns) is still unknown.
    const written = this.#openSize && shape.length === 3 ? [shape[0]!, -1, shape[2]!] : shape;
    const value = this.graph.node('Reshape', [ordered.value, this.graph.integers(written)]);
    return { value, shape, layout: 'plain', storedChannels: 0 };
  }

  #toTensorflowOrder(x: Tensor): Tensor {
    if (x.layout === 'plain') return x;
    const channels = x.shape[3]!;
    let value = x.value;
    if (x.storedChannels !== channels) {
      const bounds = [[0], [channels], [1]].map((list) => this.graph.integers(list));
      value = this.graph.node('Slice', [value, ...bounds]);
    }
    const ordered = this.graph.node('Transpose', [value], { perm: [0, 2, 3, 1] });
    return { value: ordered, shape: x.shape, layout: 'plain', storedChannels: 0 };
  }

  /** Returns a sliding window's attributes in ONNX terms, and the resulting height and width. */
  #window(x: Tensor, { kernel, strides, dilations = [1, 1], padding }: Window) {
    const common = { kernel_shape: [...kernel], strides: [...strides] };
    const sides = [0, 1] as const;
    const span = sides.map((i) => (kernel[i] - 1) * dilations[i] + 1);
    if (padding === 'VALID') {
      const size = sides.map((i) => Math.floor((x.shape[1 + i]! - span[i]!) / strides[i]) + 1);
      return { attributes: { ...common, pads: [0, 0, 0, 0] }, size };
    }
    const size = sides.map((i) => Math.ceil(x.shape[1 + i]! / strides[i]));
    if (this.#openSize && strides.some((stride) => stride > 1)) {
      return { attributes: { ...common, auto_pad: 'SAME_UPPER' }, size };
    }
    const total = sides.map((i) => Math.max(0, (size[i]! - 1) * strides[i] + span[i]! - x.shape[1 + i]!));
    const before = total.map((amount) => amount >> 1);
    const after = total.map((amount, i) => amount - before[i]!);
    return { attributes: { ...common, pads: [...before, ...after] }, size };
  }

  /**
   * Returns the weights for the stored channels, with zero rows and columns for channels beyond the
   * shape's.
   */
  #storeChannels(x: Tensor, { weights, weightShape, bias, depthwise }: Convolution) {
    const [outputs, inputs, height, width] = weightShape;
    const storedOutputs = depthwise ? x.storedChannels : this.#roundUp(outputs);
    const storedInputs = depthwise ? 1 : x.storedChannels;
    if (storedOutputs === outputs && storedInputs === inputs) return { weights, weightShape, bias };
    const kernel = height * width;
    const widened = new Float32Array(storedOutputs * storedInputs * kernel);
    for (let output = 0; output < outputs; output++) {
      const row = weights.subarray(output * inputs * kernel, (output + 1) * inputs * kernel);
      widened.set(row, output * storedInputs * kernel);
    }
    const widenedBias = bias && new Float32Array(storedOutputs);
    widenedBias?.set(bias!);
    const shape = [storedOutputs, storedInputs, height, width] as const;
    return { weights: widened, weightShape: shape, bias: widenedBias };
  }

  #roundUp(channels: number): number {
    const block = this.#channelBlock;
    // Narrow layers keep their width, because a block would be mostly zeros.
    return channels < block ? channels : Math.ceil(channels / block) * block;
  }
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((result, size) => result * size, 1);
}
