import { protobufFields } from '../models/conversion/protobuf-fields.ts';

/** Types of a tensor's values that networks of operators use. */
export type TensorType = 'float32' | 'float64' | 'other';

/** An input or an output of a graph. */
export interface GraphPort {
  readonly name: string;
  readonly type: TensorType;
  /** Sizes of the dimensions; null for a size that the input decides. */
  readonly shape: readonly (number | null)[];
}

/** What an ONNX file says about its graph. */
export interface OnnxFile {
  /** Inputs that a caller must give. */
  readonly inputs: readonly GraphPort[];
  readonly outputs: readonly GraphPort[];
  /** Returns the last constant of this shape, row by row; null if there is none. */
  lastMatrix(rows: number, columns: number): Float32Array | null;
}

/** Numbers of the fields, from onnx.proto. */
const FIELDS = {
  model: { graph: 7 },
  graph: { node: 1, initializer: 5, input: 11, output: 12 },
  tensor: { dimensions: 1, type: 2, floats: 4, name: 8, rawData: 9, location: 14 },
  value: { name: 1, type: 2 },
  type: { tensor: 1 },
  tensorType: { element: 1, shape: 2 },
  shape: { dimension: 1 },
  dimension: { size: 1 },
} as const;
/** Used numbers of onnx.TensorProto.DataType. */
const DATA_TYPES = { float32: 1, float16: 10, float64: 11 } as const;
/** Value of onnx.TensorProto.DataLocation for weights in another file. */
const EXTERNAL = 1;
/** Sign, exponent and fraction of a float16. */
const HALF = { sign: 0x8000, exponentShift: 10, exponent: 0x1f, fraction: 0x3ff } as const;

/**
 * Reads inputs, outputs and constants of an ONNX file. onnxruntime does not tell the constants.
 * @throws Error with a sentence if it is no ONNX file, or if its weights lie in another file
 */
export function readOnnxFile(bytes: Uint8Array): OnnxFile {
  const initializers: Initializer[] = [];
  const inputs: GraphPort[] = [];
  const outputs: GraphPort[] = [];
  let nodes = 0;
  try {
    for (const graph of messages(bytes, FIELDS.model.graph)) {
      for (const { number, value } of protobufFields(graph)) {
        if (number === FIELDS.graph.node) nodes += 1;
        else if (number === FIELDS.graph.initializer) initializers.push(readInitializer(asBytes(value)));
        else if (number === FIELDS.graph.input) inputs.push(readPort(asBytes(value)));
        else if (number === FIELDS.graph.output) outputs.push(readPort(asBytes(value)));
      }
    }
  } catch (error) {
    throw new Error('It is not an ONNX file.', { cause: error });
  }
  if (nodes === 0 || outputs.length === 0) throw new Error('It is not an ONNX file.');
  if (initializers.some(({ isExternal }) => isExternal))
    throw new Error('Its weights lie in another file; export it as one file.');
  const constants = new Set(initializers.map(({ name }) => name));
  return {
    // Older files list their constants as inputs, too.
    inputs: inputs.filter(({ name }) => !constants.has(name)),
    outputs,
    lastMatrix(rows, columns) {
      const found = initializers.findLast(
        ({ shape }) => shape.length === 2 && shape[0] === rows && shape[1] === columns,
      );
      return found ? floatsOf(found, rows * columns) : null;
    },
  };
}

interface Initializer {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: number;
  readonly bytes: Uint8Array | null;
  readonly isExternal: boolean;
}

function readInitializer(message: Uint8Array): Initializer {
  const shape: number[] = [];
  const read = { name: '', type: 0, bytes: null as Uint8Array | null, isExternal: false };
  for (const { number, value } of protobufFields(message)) {
    if (number === FIELDS.tensor.dimensions) shape.push(...integers(value));
    else if (number === FIELDS.tensor.type) read.type = asNumber(value);
    else if (number === FIELDS.tensor.name) read.name = asText(value);
    else if (number === FIELDS.tensor.rawData) read.bytes = asBytes(value);
    else if (number === FIELDS.tensor.floats && typeof value !== 'number') read.bytes = value;
    else if (number === FIELDS.tensor.location) read.isExternal = value === EXTERNAL;
  }
  return { ...read, shape };
}

/** Returns the values of a constant; null if they are no floating-point numbers. */
function floatsOf({ bytes, type }: Initializer, count: number): Float32Array | null {
  if (bytes === null) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === DATA_TYPES.float32 && bytes.length === 4 * count)
    return Float32Array.from({ length: count }, (_, k) => view.getFloat32(4 * k, true));
  if (type === DATA_TYPES.float16 && bytes.length === 2 * count)
    return Float32Array.from({ length: count }, (_, k) => halfToNumber(view.getUint16(2 * k, true)));
  return null;
}

/** Converts the bits of a float16. */
function halfToNumber(bits: number): number {
  const sign = bits & HALF.sign ? -1 : 1;
  const exponent = (bits >> HALF.exponentShift) & HALF.exponent;
  const fraction = bits & HALF.fraction;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === HALF.exponent) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function readPort(message: Uint8Array): GraphPort {
  let name = '';
  let type: TensorType = 'other';
  const shape: (number | null)[] = [];
  for (const field of protobufFields(message)) {
    if (field.number === FIELDS.value.name) name = asText(field.value);
    if (field.number !== FIELDS.value.type) continue;
    for (const tensor of messages(asBytes(field.value), FIELDS.type.tensor)) {
      for (const { number, value } of protobufFields(tensor)) {
        if (number === FIELDS.tensorType.element) {
          if (value === DATA_TYPES.float32) type = 'float32';
          else if (value === DATA_TYPES.float64) type = 'float64';
        }
        if (number !== FIELDS.tensorType.shape) continue;
        for (const dimension of messages(asBytes(value), FIELDS.shape.dimension)) {
          let size: number | null = null;
          for (const part of protobufFields(dimension))
            if (part.number === FIELDS.dimension.size) size = asNumber(part.value);
          shape.push(size);
        }
      }
    }
  }
  return { name, type, shape };
}

/** Returns the nested messages of one field. */
function* messages(message: Uint8Array, wanted: number): Generator<Uint8Array> {
  for (const { number, value } of protobufFields(message)) if (number === wanted) yield asBytes(value);
}

/** Reads a list of integers, which is one field for each or one packed field. */
function integers(value: Uint8Array | number): number[] {
  if (typeof value === 'number') return [value];
  const list: number[] = [];
  let current = 0;
  let factor = 1;
  for (const byte of value) {
    current += (byte & 127) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    list.push(current);
    current = 0;
    factor = 1;
  }
  return list;
}

function asBytes(value: Uint8Array | number): Uint8Array {
  if (typeof value === 'number') throw new Error('a field has another type');
  return value;
}

function asNumber(value: Uint8Array | number): number {
  if (typeof value !== 'number') throw new Error('a field has another type');
  return value;
}

function asText(value: Uint8Array | number): string {
  return Buffer.from(asBytes(value)).toString('utf8');
}
