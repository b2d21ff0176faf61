import { readFlexMap } from './flexbuffer.ts';
import type { Layers, Tensor } from './layers.ts';
import {
  landmarksToTransform,
  readRegionOptions,
  scaleTransform,
  transformLandmarks,
  transformTensorBilinear,
} from './mediapipe-operators.ts';
import type { PlaneTransform } from './mediapipe-operators.ts';
import type { TfliteModel, TfliteOperator } from './tflite-model.ts';
import { depthwiseToOihw, ohwiToOihw } from './weight-layout.ts';

/**
 * ActivationFunctionType.NONE of the schema, which means that the operator has no fused activation.
 */
const NO_ACTIVATION = 0;

/**
 * Builds the ONNX nodes of a TensorFlow Lite graph on demand: `tensor(index)` converts the operator
 * that computes this tensor and all operators on which it depends. Supports the operators of the
 * face models, and throws on others.
 */
export class TfliteGraph {
  readonly #model: TfliteModel;
  readonly #layers: Layers;
  readonly #producers = new Map<number, TfliteOperator>();
  readonly #tensors = new Map<number, Tensor>();
  readonly #transforms = new Map<number, PlaneTransform>();

  /** @param input takes the place of the model's only input */
  constructor(model: TfliteModel, layers: Layers, input: Tensor) {
    this.#model = model;
    this.#layers = layers;
    for (const operator of model.operators) {
      for (const output of operator.outputs) this.#producers.set(output, operator);
    }
    this.#tensors.set(model.inputs[0]!, input);
  }

  /** Converts the output of this name. */
  output(name: string): Tensor {
    const index = this.#model.outputs.find((output) => this.#model.tensors[output]!.name === name);
    if (index === undefined) throw new Error(`The model has no output ${name}`);
    return this.tensor(index);
  }

  tensor(index: number): Tensor {
    let tensor = this.#tensors.get(index);
    if (!tensor) {
      tensor = this.#convert(this.#producer(index));
      this.#tensors.set(index, tensor);
    }
    return tensor;
  }

  #convert(operator: TfliteOperator): Tensor {
    const layers = this.#layers;
    const [first, second] = operator.inputs as [number, number];
    switch (operator.name) {
      case 'CONV_2D':
        return this.#convolution(operator, false);
      case 'DEPTHWISE_CONV_2D':
        return this.#convolution(operator, true);
      case 'PRELU':
        return layers.prelu(this.tensor(first), this.#constant(second));
      case 'ADD':
        return this.#plain(operator, layers.add(this.tensor(first), this.tensor(second)));
      case 'MUL': {
        const x = this.tensor(first);
        const factor = layers.graph.scalar(this.#constant(second)[0]!);
        return this.#plain(operator, layers.unary(x, 'Mul', [factor]));
      }
      case 'MAX_POOL_2D': {
        const { kernel, strides, padding } = operator.options;
        const window = { kernel: kernel!, strides: strides!, padding: padding! };
        return this.#plain(operator, layers.pool(this.tensor(first), 'MaxPool', window));
      }
      case 'PAD': {
        const [n0, n1, top, bottom, left, right, before, after] = this.#constant(second);
        if (n0 || n1 || top || bottom || left || right || before) throw new Error('Unknown padding');
        return layers.appendChannels(this.tensor(first), after!);
      }
      case 'RESHAPE':
        return layers.reshape(this.tensor(first), this.#model.tensors[operator.outputs[0]!]!.shape);
      case 'STRIDED_SLICE':
        return this.#wholeSlice(operator);
      case 'TransformTensorBilinear': {
        const options = readFlexMap(operator.customOptions);
        const size = [options.output_width as number, options.output_height as number] as const;
        return transformTensorBilinear(layers, this.tensor(first), this.#transform(second), size);
      }
      case 'TransformLandmarks':
        return transformLandmarks(layers, this.tensor(first), this.#transform(second));
      default:
        throw new Error(`Unknown operator ${operator.name}`);
    }
  }

  /**
   * Returns a tensor that holds a 4 x 4 matrix, which in these models is always an affine map of
   * the plane.
   */
  #transform(index: number): PlaneTransform {
    let transform = this.#transforms.get(index);
    if (!transform) {
      const operator = this.#producer(index);
      const [first, second] = operator.inputs as [number, number];
      if (operator.name === 'Landmarks2TransformMatrix') {
        const options = readRegionOptions(readFlexMap(operator.customOptions));
        transform = landmarksToTransform(this.#layers.graph, this.tensor(first).value, options);
      } else if (operator.name === 'MUL') {
        transform = scaleTransform(this.#layers.graph, this.#transform(first), this.#constant(second));
      } else throw new Error(`${operator.name} does not make a transform`);
      this.#transforms.set(index, transform);
    }
    return transform;
  }

  #convolution(operator: TfliteOperator, depthwise: boolean): Tensor {
    const [input, filter, bias] = operator.inputs as [number, number, number];
    const shape = this.#model.tensors[filter]!.shape as [number, number, number, number];
    const data = this.#constant(filter);
    const [first, height, width, last] = shape;
    const { strides, dilations, padding } = operator.options;
    const result = this.#layers.convolution(this.tensor(input), {
      weights: depthwise ? depthwiseToOihw(data, [height, width, last, 1]) : ohwiToOihw(data, shape),
      weightShape: depthwise ? [last, 1, height, width] : [first, last, height, width],
      bias: this.#constant(bias) as Float32Array,
      kernel: [height, width],
      strides: strides!,
      dilations: dilations!,
      padding: padding!,
      depthwise,
    });
    return this.#plain(operator, result);
  }

  /** Converts a full slice, with which MediaPipe's exporter names an output. */
  #wholeSlice(operator: TfliteOperator): Tensor {
    const [input, begin, , step] = operator.inputs as [number, number, number, number];
    const same =
      this.#model.tensors[input]!.shape.join() === this.#model.tensors[operator.outputs[0]!]!.shape.join();
    if (
      !same ||
      this.#constant(begin).some((value) => value !== 0) ||
      this.#constant(step).some((s) => s !== 1)
    ) {
      throw new Error('Only slices of the whole tensor are known');
    }
    return this.tensor(input);
  }

  /**
   * Returns `result` if the operator has no fused activation. These models have activations as
   * separate operators.
   */
  #plain(operator: TfliteOperator, result: Tensor): Tensor {
    if (operator.options.activation !== NO_ACTIVATION)
      throw new Error(`Fused activation at ${operator.name}`);
    return result;
  }

  /** Returns the values of a constant, also if they are converted from 16-bit storage. */
  #constant(index: number): Float32Array | Int32Array {
    const { data, name } = this.#model.tensors[index]!;
    if (data) return data;
    const producer = this.#producers.get(index);
    if (producer?.name === 'DEQUANTIZE') return this.#constant(producer.inputs[0]!);
    throw new Error(`${name} is not a constant`);
  }

  #producer(index: number): TfliteOperator {
    const producer = this.#producers.get(index);
    if (!producer) throw new Error(`Nothing computes the tensor ${this.#model.tensors[index]!.name}`);
    return producer;
  }
}
