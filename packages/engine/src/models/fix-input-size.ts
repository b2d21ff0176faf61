/** Tag of `dim_value` in onnx.TensorShapeProto.Dimension: the size as a whole number. */
const DIM_VALUE_TAG = 0x08;

/** Tag of `dim_param` in onnx.TensorShapeProto.Dimension: a name for a size left open. */
const DIM_PARAM_TAG = 0x12;

/**
 * A copy of an ONNX file of ours whose input has this height and width where they were left open.
 *
 * The number is written over the name of the dimension, in as many bytes: protobuf's whole numbers
 * may be longer than they need to be (each byte but the last says that more follow), so no length
 * around them changes.
 */
export function fixInputSize(onnx: Buffer, height: number, width: number): Buffer {
  const fixed = Buffer.from(onnx);
  writeDimension(fixed, 'height', height);
  writeDimension(fixed, 'width', width);
  return fixed;
}

function writeDimension(onnx: Buffer, name: string, size: number): void {
  const named = Buffer.from([DIM_PARAM_TAG, name.length, ...Buffer.from(name)]);
  // Inputs are written behind the weights.
  const at = onnx.lastIndexOf(named);
  if (at < 0) throw new Error(`The network has no open ${name}.`);
  onnx[at] = DIM_VALUE_TAG;
  const last = at + named.length - 1;
  for (let i = at + 1, rest = size; i <= last; i++, rest >>= 7)
    onnx[i] = (rest & 0x7f) | (i < last ? 0x80 : 0);
}
