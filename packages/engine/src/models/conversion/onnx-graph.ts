import { ProtobufWriter } from './protobuf-writer.ts';

/** ONNX operator set of the graphs. onnxruntime reads it from 1.14 on. */
const OPSET_VERSION = 17;

/** Version of the ONNX file format that the operator set needs. */
const IR_VERSION = 8;

/** Used numbers of onnx.TensorProto.DataType. */
const DATA_TYPES = { float32: 1, int64: 7, float64: 11 } as const;
type DataType = keyof typeof DATA_TYPES;

/** Used numbers of onnx.AttributeProto.AttributeType. */
const ATTRIBUTE_TYPES = { float: 1, int: 2, string: 3, ints: 7 } as const;

/**
 * Value of an attribute: integer, list of integers, text, or `{ float }`, because ONNX
 * distinguishes 1 from 1.0.
 */
export type Attribute = number | readonly number[] | string | { readonly float: number };

/** Size of one dimension. A name means a size that is unknown until a tensor is given. */
export type Dimension = number | string;

interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

interface Initializer {
  readonly name: string;
  readonly type: DataType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

interface Port {
  readonly name: string;
  readonly type: DataType;
  readonly shape: readonly Dimension[];
}

/**
 * An ONNX graph under construction. Each value has the name of its producer, and every node has one
 * output.
 */
export class OnnxGraph {
  readonly name: string;
  readonly #nodes: Node[] = [];
  readonly #initializers: Initializer[] = [];
  readonly #inputs: Port[] = [];
  readonly #outputs: Port[] = [];
  readonly #shared = new Map<string, string>();
  #valueCount = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Declares an input and returns its value name. */
  input(name: string, shape: readonly Dimension[], type: DataType = 'float32'): string {
    this.#inputs.push({ name, type, shape });
    return name;
  }

  /** Publishes a value as the float32 output `name`. */
  output(name: string, shape: readonly Dimension[], value: string): void {
    this.#nodes.push({ operator: 'Identity', inputs: [value], output: name, attributes: {} });
    this.#outputs.push({ name, type: 'float32', shape });
  }

  /** Adds a node and returns the name of its output. */
  node(operator: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}): string {
    const output = this.#newName(operator.toLowerCase());
    this.#nodes.push({ operator, inputs, output, attributes });
    return output;
  }

  /** Adds a float32 constant. */
  floats(values: ArrayLike<number>, shape: readonly number[]): string {
    const data = values instanceof Float32Array ? values : Float32Array.from(values);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const name = this.#newName('weights');
    this.#initializers.push({ name, type: 'float32', shape, bytes });
    return name;
  }

  /** Adds a float32 constant without dimensions. Equal ones are stored once. */
  scalar(value: number): string {
    return this.#once(`scalar ${value}`, () => this.floats([value], []));
  }

  /**
   * Adds an int64 constant with one dimension (shapes, axes, indices). Equal ones are stored once.
   */
  integers(values: readonly number[]): string {
    return this.#once(`integers ${values.join()}`, () => {
      const bytes = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
      const name = this.#newName('integers');
      this.#initializers.push({ name, type: 'int64', shape: [values.length], bytes });
      return name;
    });
  }

  /** Returns the ONNX file's bytes. The same graph always gives the same bytes. */
  encode(): Buffer {
    const model = new ProtobufWriter();
    model.integer(1, IR_VERSION);
    model.string(2, 'guise');
    model.message(7, (graph) => this.#writeGraph(graph));
    model.message(8, (opset) => {
      opset.string(1, '');
      opset.integer(2, OPSET_VERSION);
    });
    return model.finish();
  }

  #writeGraph(graph: ProtobufWriter): void {
    for (const node of this.#nodes) graph.message(1, (writer) => writeNode(writer, node));
    graph.string(2, this.name);
    for (const { name, type, shape, bytes } of this.#initializers) {
      graph.message(5, (tensor) => {
        for (const size of shape) tensor.integer(1, size);
        tensor.integer(2, DATA_TYPES[type]);
        tensor.string(8, name);
        tensor.bytes(9, bytes);
      });
    }
    for (const port of this.#inputs) graph.message(11, (writer) => writePort(writer, port));
    for (const port of this.#outputs) graph.message(12, (writer) => writePort(writer, port));
  }

  #newName(kind: string): string {
    return `${kind}_${this.#valueCount++}`;
  }

  #once(key: string, create: () => string): string {
    let name = this.#shared.get(key);
    if (name === undefined) {
      name = create();
      this.#shared.set(key, name);
    }
    return name;
  }
}

function writeNode(writer: ProtobufWriter, node: Node): void {
  for (const input of node.inputs) writer.string(1, input);
  writer.string(2, node.output);
  writer.string(3, node.output);
  writer.string(4, node.operator);
  for (const [name, value] of Object.entries(node.attributes)) {
    writer.message(5, (attribute) => {
      attribute.string(1, name);
      if (typeof value === 'number') {
        attribute.integer(3, value);
        attribute.integer(20, ATTRIBUTE_TYPES.int);
      } else if (typeof value === 'string') {
        attribute.string(4, value);
        attribute.integer(20, ATTRIBUTE_TYPES.string);
      } else if ('float' in value) {
        attribute.float(2, value.float);
        attribute.integer(20, ATTRIBUTE_TYPES.float);
      } else {
        for (const element of value) attribute.integer(8, element);
        attribute.integer(20, ATTRIBUTE_TYPES.ints);
      }
    });
  }
}

function writePort(writer: ProtobufWriter, port: Port): void {
  writer.string(1, port.name);
  writer.message(2, (type) => {
    type.message(1, (tensor) => {
      tensor.integer(1, DATA_TYPES[port.type]);
      tensor.message(2, (shape) => {
        for (const size of port.shape) {
          shape.message(1, (dimension) => {
            if (typeof size === 'string') dimension.string(2, size);
            else dimension.integer(1, size);
          });
        }
      });
    });
  });
}
