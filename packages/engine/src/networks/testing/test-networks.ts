import { OnnxGraph } from '../../models/conversion/onnx-graph.ts';
import {
  IDENTITY_LENGTH,
  PARSER_CLASSES,
  type Protocol,
  type ProtocolName,
  PROTOCOLS,
} from '../protocols.ts';

/** What a network for tests does with the face. */
export type Effect =
  /** Nothing. */
  | 'identity'
  /** Adds the first three values of the source's input to red, green and blue. */
  | 'tint'
  /** Mirrors the face. */
  | 'mirror';

/** Value of the diagonal of the matrix for inswapper's source. */
export const MATRIX_DIAGONAL = [3, 1, 2] as const;

/**
 * Writes a network with the inputs and outputs of a protocol.
 * @param items number of faces that a swapper takes at once; `any` leaves it open
 * @returns an ONNX file
 */
export function testNetwork(name: ProtocolName, effect: Effect = 'identity', items: 1 | 'any' = 1): Buffer {
  const protocol: Protocol = PROTOCOLS[name];
  const graph = new OnnxGraph(name);
  if (protocol.kind === 'recogniser') {
    // The vector begins with the mean red, green and blue.
    const input = graph.input('input.1', ['None', 3, protocol.side, protocol.side]);
    const mean = graph.node('GlobalAveragePool', [input]);
    const colours = graph.node('Reshape', [mean, graph.integers([-1, 3])]);
    const spread = graph.floats(onDiagonal(3, IDENTITY_LENGTH, [1, 1, 1]), [3, IDENTITY_LENGTH]);
    graph.output('683', [1, IDENTITY_LENGTH], graph.node('MatMul', [colours, spread]));
    return graph.encode();
  }
  if (protocol.kind === 'converter') {
    const input = graph.input('input', [1, IDENTITY_LENGTH]);
    graph.output('output', [1, IDENTITY_LENGTH], graph.node('Mul', [input, graph.scalar(2)]));
    return graph.encode();
  }
  if (protocol.kind === 'masker') return encodeMasker(graph, protocol);
  const { side } = protocol;
  const picture = [items, 3, side, side];
  const target = graph.input(protocol.kind === 'swapper' ? 'target' : 'input', picture);
  let face = target;
  if (effect === 'mirror') {
    const slice = [[-1], [-side - 1], [3], [-1]].map((values) => graph.integers(values));
    face = graph.node('Slice', [target, ...slice]);
  }
  if (protocol.kind === 'swapper') face = graph.node('Add', [face, sourceOf(graph, protocol, effect, items)]);
  if (protocol.input !== protocol.output) {
    const { mean, deviation } = protocol.input;
    face = graph.node('Mul', [face, graph.floats(deviation, [1, 3, 1, 1])]);
    face = graph.node('Add', [face, graph.floats(mean, [1, 3, 1, 1])]);
  }
  graph.output('output', picture, face);
  if (name === 'hyperswap') graph.output('mask', [1, 1, 1, 1], graph.floats([1], [1, 1, 1, 1]));
  return graph.encode();
}

/**
 * Completes a masker. XSeg's shows the face as much as a pixel is blue; the parser finds background
 * (class 0) where a pixel is redder than the mean of ImageNet, and skin (class 1) elsewhere.
 */
function encodeMasker(graph: OnnxGraph, { side, says }: Protocol & { kind: 'masker' }): Buffer {
  const isParser = says === 'classes';
  const axis = isParser ? 1 : 3;
  const shape = isParser ? [1, 3, side, side] : [1, side, side, 3];
  const slice = [[0], [1], [axis], [1]].map((values) => graph.integers(values));
  const first = graph.node('Slice', [graph.input('input', shape), ...slice]);
  if (!isParser) {
    graph.output('output', [1, side, side, 1], first);
    return graph.encode();
  }
  const skin = graph.node('Mul', [first, graph.scalar(0)]);
  const others = graph.node('Expand', [
    graph.node('Sub', [skin, graph.scalar(10)]),
    graph.integers([1, PARSER_CLASSES - 2, side, side]),
  ]);
  graph.output(
    'output',
    [1, PARSER_CLASSES, side, side],
    graph.node('Concat', [first, skin, others], { axis }),
  );
  return graph.encode();
}

/** Adds the source's input to a graph. @returns what it adds to each face: items x 3 x 1 x 1 */
function sourceOf(
  graph: OnnxGraph,
  { source }: Protocol & { kind: 'swapper' },
  effect: Effect,
  items: 1 | 'any',
): string {
  const share = graph.scalar(effect === 'tint' ? 1 : 0);
  if (source.kind === 'picture') {
    const input = graph.input('source', [items, 3, source.side, source.side]);
    return graph.node('Mul', [graph.node('GlobalAveragePool', [input]), share]);
  }
  const input = graph.input('source', [items, IDENTITY_LENGTH]);
  const pick = graph.floats(onDiagonal(IDENTITY_LENGTH, 3, [1, 1, 1]), [IDENTITY_LENGTH, 3]);
  const picked = graph.node('Reshape', [graph.node('MatMul', [input, pick]), graph.integers([-1, 3, 1, 1])]);
  const shift = graph.node('Mul', [picked, share]);
  if (source.through !== 'matrix') return shift;
  // The matrix is no part of the graph's work: guise multiplies by it.
  const matrix = graph.floats(onDiagonal(IDENTITY_LENGTH, IDENTITY_LENGTH, MATRIX_DIAGONAL), [
    IDENTITY_LENGTH,
    IDENTITY_LENGTH,
  ]);
  const none = graph.node('Mul', [graph.node('ReduceMax', [matrix]), graph.scalar(0)]);
  return graph.node('Add', [shift, none]);
}

function onDiagonal(rows: number, columns: number, values: readonly number[]): Float32Array {
  const matrix = new Float32Array(rows * columns);
  values.forEach((value, k) => (matrix[k * columns + k] = value));
  return matrix;
}
