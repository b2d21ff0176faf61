import type { FlexMap } from './flexbuffer.ts';
import type { Layers, Tensor } from './layers.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/**
 * The three custom TensorFlow Lite operators of MediaPipe's attention mesh, version 2 of each, as
 * plain ONNX nodes. They follow landmarks_to_transform_matrix.cc, transform_tensor_bilinear.cc and
 * transform_landmarks.cc in mediapipe/util/tflite/operations.
 */

/**
 * An affine map of the plane as two values of the graph. It maps a row vector p to p @ linear +
 * shift.
 */
export interface PlaneTransform {
  /** Value of shape [2, 2]. */
  readonly linear: string;
  /** Value of shape [1, 2]. */
  readonly shift: string;
}

export interface RegionOptions {
  /** Landmark at the left end of the region's horizontal line. `rightIndex` is at its right end. */
  readonly leftIndex: number;
  readonly rightIndex: number;
  /** Landmarks that the region must contain. */
  readonly subset: readonly number[];
  /** Factor by which their bounding box is enlarged, across and down. */
  readonly scale: readonly [number, number];
  /** Width and height of the sampled region. */
  readonly outputSize: readonly [number, number];
}

export function readRegionOptions(options: FlexMap): RegionOptions {
  if (options.target_rotation_radians !== 0) throw new Error('Only upright regions are known');
  return {
    leftIndex: options.left_rotation_idx as number,
    rightIndex: options.right_rotation_idx as number,
    subset: options.subset_idxs as readonly number[],
    scale: [options.scale_x as number, options.scale_y as number],
    outputSize: [options.output_width as number, options.output_height as number],
  };
}

/** Summand that keeps the square root's argument above zero. */
const TINY = 1e-12;

/**
 * Adds the map from the sampled region's pixels (edge based) to the picture's. The region is the
 * enlarged bounding box of the subset, in a frame rotated so that the line from left to right is
 * horizontal.
 * @param landmarks value of shape [1, n, 3]
 */
export function landmarksToTransform(
  graph: OnnxGraph,
  landmarks: string,
  options: RegionOptions,
): PlaneTransform {
  const [width, height] = options.outputSize;
  const pick = (indices: readonly number[]): string => {
    const picked = graph.node('Gather', [landmarks, graph.integers(indices)], { axis: 1 });
    return graph.node('Slice', [picked, graph.integers([0]), graph.integers([2]), graph.integers([2])]);
  };
  const across = graph.node('Sub', [pick([options.rightIndex]), pick([options.leftIndex])]);
  const squares = graph.node('ReduceSum', [graph.node('Mul', [across, across]), graph.integers([2])]);
  const length = graph.node('Sqrt', [graph.node('Add', [squares, graph.scalar(TINY)])]);
  // [cos, sin] of the line's angle, followed by the rotation by minus that angle, whose rows are
  // [cos, sin] and [-sin, cos].
  const direction = graph.node('Reshape', [graph.node('Div', [across, length]), graph.integers([2])]);
  const elements = graph.node('Gather', [direction, graph.integers([0, 1, 1, 0])], { axis: 0 });
  const signed = graph.node('Mul', [elements, graph.floats([1, 1, -1, 1], [4])]);
  const backRotation = graph.node('Reshape', [signed, graph.integers([2, 2])]);
  const rotation = graph.node('Transpose', [backRotation], { perm: [1, 0] });

  const upright = graph.node('MatMul', [pick(options.subset), rotation]);
  const highest = graph.node('ReduceMax', [upright], { axes: [1], keepdims: 1 });
  const lowest = graph.node('ReduceMin', [upright], { axes: [1], keepdims: 1 });
  const middle = graph.node('Mul', [graph.node('Add', [highest, lowest]), graph.scalar(0.5)]);
  const centre = graph.node('Reshape', [
    graph.node('MatMul', [middle, backRotation]),
    graph.integers([1, 2]),
  ]);
  const perPixel = graph.node('Mul', [
    graph.node('Sub', [highest, lowest]),
    graph.floats([options.scale[0] / width, options.scale[1] / height], [2]),
  ]);
  const scaled = graph.node('Mul', [rotation, graph.node('Reshape', [perPixel, graph.integers([2])])]);
  const linear = graph.node('Transpose', [scaled], { perm: [1, 0] });
  const corner = graph.node('MatMul', [graph.floats([-width / 2, -height / 2], [1, 2]), linear]);
  return { linear, shift: graph.node('Add', [centre, corner]) };
}

/**
 * Samples the region from `x`, bilinearly between pixel centres at .5. Samples beyond the outermost
 * centres are zero.
 */
export function transformTensorBilinear(
  layers: Layers,
  x: Tensor,
  transform: PlaneTransform,
  outputSize: readonly [number, number],
): Tensor {
  const graph = layers.graph;
  const [width, height] = outputSize;
  const [n, inputHeight, inputWidth, channels] = x.shape as [number, number, number, number];
  const centres: number[] = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) centres.push(column + 0.5, row + 0.5);
  }
  const positions = mapPoints(graph, graph.floats(centres, [width * height, 2]), transform);
  // GridSample takes coordinates of -1..1 across the picture.
  const toUnit = graph.floats([2 / inputWidth, 2 / inputHeight], [2]);
  const unit = graph.node('Add', [graph.node('Mul', [positions, toUnit]), graph.scalar(-1)]);
  const grid = graph.node('Reshape', [unit, graph.integers([1, height, width, 2])]);
  const sampled = graph.node('GridSample', [x.value, grid], {
    mode: 'bilinear',
    padding_mode: 'zeros',
    align_corners: 0,
  });
  const toFloat = (condition: string): string => graph.node('Cast', [condition], { to: 1 });
  const lastCentres = graph.floats([inputWidth - 0.5, inputHeight - 0.5], [2]);
  const inside = graph.node('Mul', [
    toFloat(graph.node('GreaterOrEqual', [positions, graph.scalar(0.5)])),
    toFloat(graph.node('LessOrEqual', [positions, lastCentres])),
  ]);
  const both = graph.node('ReduceMin', [inside], { axes: [1], keepdims: 1 });
  const mask = graph.node('Reshape', [both, graph.integers([1, 1, height, width])]);
  const value = graph.node('Mul', [sampled, mask]);
  return { value, shape: [n, height, width, channels], layout: 'nchw', storedChannels: channels };
}

/** Maps landmarks [1, n, 2] from the region's pixels to the picture's. */
export function transformLandmarks(layers: Layers, x: Tensor, transform: PlaneTransform): Tensor {
  return { ...x, value: mapPoints(layers.graph, x.value, transform) };
}

/**
 * Multiplies the elements of a transform by those of a 4 x 4 row-major matrix, a constant of the
 * model.
 */
export function scaleTransform(
  graph: OnnxGraph,
  transform: PlaneTransform,
  factors: ArrayLike<number>,
): PlaneTransform {
  // Points are row vectors here, so the order is transposed.
  const linear = graph.floats([factors[0]!, factors[4]!, factors[1]!, factors[5]!], [2, 2]);
  const shift = graph.floats([factors[3]!, factors[7]!], [1, 2]);
  return {
    linear: graph.node('Mul', [transform.linear, linear]),
    shift: graph.node('Mul', [transform.shift, shift]),
  };
}

function mapPoints(graph: OnnxGraph, points: string, { linear, shift }: PlaneTransform): string {
  return graph.node('Add', [graph.node('MatMul', [points, linear]), shift]);
}
