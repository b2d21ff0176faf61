/** Tag of `dim_value` in onnx.TensorShapeProto.Dimension: the size as a whole number. */
const DIM_VALUE_TAG = 0x08;

/** Tag of `dim_param` in onnx.TensorShapeProto.Dimension: a name for an open size. */
const DIM_PARAM_TAG = 0x12;

/**
 * Returns a copy of one of our ONNX files with its open input height and width set to these values.
 *
 * The number takes as many bytes as the dimension's name that it replaces, so all lengths around it
 * stay the same. Protobuf allows this: each byte of a number except the last says that more follow.
 */
export function fixInputSize(onnx: Buffer, height: number, width: number): Buffer {
  const fixed = Buffer.from(onnx);
  writeDimension(fixed, 'height', height);
  writeDimension(fixed, 'width', width);
  return fixed;
}

function writeDimension(onnx: Buffer, name: string, size: number): void {
  const named = Buffer.from([DIM_PARAM_TAG, name.length, ...Buffer.from(name)]);
  // The inputs come after the weights.
  const at = onnx.lastIndexOf(named);
  if (at < 0) throw new Error(`The network has no open ${name}.`);
  onnx[at] = DIM_VALUE_TAG;
  const last = at + named.length - 1;
  for (let i = at + 1, rest = size; i <= last; i++, rest >>= 7)
    onnx[i] = (rest & 0x7f) | (i < last ? 0x80 : 0);
}
