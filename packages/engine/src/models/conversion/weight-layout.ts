/**
 * Conversion of TensorFlow's convolution weights to the order of ONNX. All functions return a new
 * array. The comments name the dimensions: O output channels, I input channels, H and W of the
 * kernel, M the channel multiplier.
 */

/** Converts TensorFlow's HWIO to ONNX's OIHW. */
export function hwioToOihw(weights: ArrayLike<number>, shape: readonly number[]): Float32Array {
  const [h, w, i, o] = shape as [number, number, number, number];
  const result = new Float32Array(h * w * i * o);
  const kernel = h * w;
  for (let at = 0, from = 0; at < kernel; at++) {
    for (let input = 0; input < i; input++) {
      for (let output = 0; output < o; output++, from++) {
        result[(output * i + input) * kernel + at] = weights[from]!;
      }
    }
  }
  return result;
}

/** Converts TensorFlow Lite's OHWI to ONNX's OIHW. */
export function ohwiToOihw(weights: ArrayLike<number>, shape: readonly number[]): Float32Array {
  const [o, h, w, i] = shape as [number, number, number, number];
  const result = new Float32Array(o * h * w * i);
  const kernel = h * w;
  for (let output = 0, from = 0; output < o; output++) {
    for (let at = 0; at < kernel; at++) {
      for (let input = 0; input < i; input++, from++) {
        result[(output * i + input) * kernel + at] = weights[from]!;
      }
    }
  }
  return result;
}

/** Converts depthwise HWCM (TensorFlow Lite's 1HWC is HWCM with M = 1) to ONNX's (C M)1HW. */
export function depthwiseToOihw(weights: ArrayLike<number>, shape: readonly number[]): Float32Array {
  const [h, w, channels, multiplier] = shape as [number, number, number, number];
  const outputs = channels * multiplier;
  const result = new Float32Array(h * w * outputs);
  const kernel = h * w;
  for (let at = 0, from = 0; at < kernel; at++) {
    for (let output = 0; output < outputs; output++, from++) {
      result[output * kernel + at] = weights[from]!;
    }
  }
  return result;
}
