/** What onnxruntime and CUDA say when memory runs out, on a graphics card or not. */
const OUT_OF_MEMORY =
  /out of memory|failed to allocate|bad[_ ]alloc|not enough memory|requested buffer of size|CUDNN_STATUS_ALLOC_FAILED/i;

/** A network of an operator needs more memory than there is. */
export class NetworkOutOfMemory extends Error {
  override readonly name = 'NetworkOutOfMemory';
}

/** Returns the error of a network to throw: another one if its cause is a lack of memory. */
export function networkError(error: unknown): unknown {
  if (!(error instanceof Error) || !OUT_OF_MEMORY.test(error.message)) return error;
  return new NetworkOutOfMemory('It needs more memory than there is.', { cause: error });
}
