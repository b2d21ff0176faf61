import { FlatBuffer } from './flatbuffer.ts';
import { decodeFloats, decodeHalves, decodeInts } from './number-decoding.ts';

/** A TensorFlow Lite model of one subgraph (schema.fbs of TensorFlow, version 3). */
export interface TfliteModel {
  readonly tensors: readonly TfliteTensor[];
  readonly operators: readonly TfliteOperator[];
  /** Indices of the tensors that the model takes. `outputs` are those that it returns. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

export interface TfliteTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** Values of a constant, or null for a computed tensor. */
  readonly data: Float32Array | Int32Array | null;
}

export interface TfliteOperator {
  /** Name of a built-in operator as in the schema, or of a custom operator. */
  readonly name: string;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Options of the operator. Strides and dilations are height, width. */
  readonly options: TfliteOptions;
  /** FlexBuffers bytes of a custom operator. */
  readonly customOptions: Buffer;
}

export interface TfliteOptions {
  readonly padding?: 'SAME' | 'VALID';
  readonly strides?: readonly [number, number];
  readonly dilations?: readonly [number, number];
  readonly kernel?: readonly [number, number];
  readonly activation?: number;
}

/** Names of the operators that the face models use, by their number in BuiltinOperator. */
const OPERATOR_NAMES = new Map([
  [0, 'ADD'],
  [3, 'CONV_2D'],
  [4, 'DEPTHWISE_CONV_2D'],
  [6, 'DEQUANTIZE'],
  [17, 'MAX_POOL_2D'],
  [18, 'MUL'],
  [22, 'RESHAPE'],
  [34, 'PAD'],
  [45, 'STRIDED_SLICE'],
  [54, 'PRELU'],
]);

/** BuiltinOperator.CUSTOM, which means that a text names the operator. */
const CUSTOM_OPERATOR = 32;

/** Used numbers of the schema's TensorType. */
const TENSOR_TYPES = { float32: 0, float16: 1, int32: 2 } as const;

/** Field numbers of the schema's table Model. */
const MODEL_FIELDS = { operatorCodes: 1, subgraphs: 2, buffers: 4 };

/** Field numbers of the schema's table SubGraph. */
const SUBGRAPH_FIELDS = { tensors: 0, inputs: 1, outputs: 2, operators: 3 };

/** Field numbers of the schema's table Tensor. */
const TENSOR_FIELDS = { shape: 0, type: 1, buffer: 2, name: 3 };

/** Field numbers of the schema's table Operator. */
const OPERATOR_FIELDS = { code: 0, inputs: 1, outputs: 2, options: 4, customOptions: 5 };

/** Field numbers of the schema's table OperatorCode. */
const OPERATOR_CODE_FIELDS = { oldCode: 0, customName: 1, code: 3 };

export function readTfliteModel(bytes: Buffer): TfliteModel {
  const file = new FlatBuffer(bytes);
  const model = file.rootTable();
  const names = file.tables(model, MODEL_FIELDS.operatorCodes).map((table) => operatorName(file, table));
  const buffers = file.tables(model, MODEL_FIELDS.buffers).map((table) => file.bytes(table, 0));
  const [subgraph] = file.tables(model, MODEL_FIELDS.subgraphs);
  if (subgraph === undefined) throw new Error('The TensorFlow Lite model is empty');
  return {
    tensors: file.tables(subgraph, SUBGRAPH_FIELDS.tensors).map((table) => readTensor(file, table, buffers)),
    operators: file
      .tables(subgraph, SUBGRAPH_FIELDS.operators)
      .map((table) => readOperator(file, table, names)),
    inputs: file.int32s(subgraph, SUBGRAPH_FIELDS.inputs),
    outputs: file.int32s(subgraph, SUBGRAPH_FIELDS.outputs),
  };
}

function operatorName(file: FlatBuffer, table: number): string {
  // Codes above 127 do not fit the old byte field, which is the only one in older files.
  const code = Math.max(
    file.int8(table, OPERATOR_CODE_FIELDS.oldCode),
    file.int32(table, OPERATOR_CODE_FIELDS.code),
  );
  if (code === CUSTOM_OPERATOR) return file.string(table, OPERATOR_CODE_FIELDS.customName);
  return OPERATOR_NAMES.get(code) ?? `operator ${code}`;
}

function readTensor(file: FlatBuffer, table: number, buffers: readonly Buffer[]): TfliteTensor {
  const bytes = buffers[file.int32(table, TENSOR_FIELDS.buffer)] ?? Buffer.alloc(0);
  return {
    name: file.string(table, TENSOR_FIELDS.name),
    shape: file.int32s(table, TENSOR_FIELDS.shape),
    data: bytes.length === 0 ? null : decodeConstant(file.int8(table, TENSOR_FIELDS.type), bytes),
  };
}

function decodeConstant(type: number, bytes: Buffer): Float32Array | Int32Array {
  if (type === TENSOR_TYPES.float32) return decodeFloats(bytes);
  if (type === TENSOR_TYPES.float16) return decodeHalves(bytes);
  if (type === TENSOR_TYPES.int32) return decodeInts(bytes);
  throw new Error(`Unknown TensorFlow Lite tensor type ${type}`);
}

function readOperator(file: FlatBuffer, table: number, names: readonly string[]): TfliteOperator {
  const name = names[file.int32(table, OPERATOR_FIELDS.code)]!;
  const options = file.table(table, OPERATOR_FIELDS.options);
  return {
    name,
    inputs: file.int32s(table, OPERATOR_FIELDS.inputs),
    outputs: file.int32s(table, OPERATOR_FIELDS.outputs),
    options: options === null ? {} : readOptions(file, options, name),
    customOptions: file.bytes(table, OPERATOR_FIELDS.customOptions),
  };
}

/**
 * Reads Conv2DOptions, DepthwiseConv2DOptions, Pool2DOptions, AddOptions or MulOptions. Strides are
 * stored width first.
 */
function readOptions(file: FlatBuffer, table: number, name: string): TfliteOptions {
  const int = (field: number, absent = 0): number => file.int32(table, field, absent);
  const window = (): TfliteOptions => ({
    padding: file.int8(table, 0) === 0 ? 'SAME' : 'VALID',
    strides: [int(2), int(1)],
  });
  switch (name) {
    case 'CONV_2D':
      return { ...window(), activation: file.int8(table, 3), dilations: [int(5, 1), int(4, 1)] };
    case 'DEPTHWISE_CONV_2D':
      return { ...window(), activation: file.int8(table, 4), dilations: [int(6, 1), int(5, 1)] };
    case 'MAX_POOL_2D':
      return { ...window(), kernel: [int(4), int(3)], activation: file.int8(table, 5) };
    case 'ADD':
    case 'MUL':
      return { activation: file.int8(table, 0) };
    default:
      return {};
  }
}
