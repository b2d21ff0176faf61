import { isInKernelMemory, kernelMemory, STAGE_END, STAGE_START } from './memory.ts';

/**
 * Passes arrays to a kernel for the length of one call. Arrays in the kernels' memory are passed as
 * they are; others are copied to the stage.
 *
 * A wrapper first calls `fitsStage`, gets addresses with `copyIn` and `reserve`, and gets results
 * back with `copyOut`. Nothing here outlives the call, and calls do not nest.
 */
type Samples = Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array | Int16Array | Int32Array;

let top = STAGE_START;
let bytes: Buffer | null = null;

/**
 * Empties the stage. Returns false if this many bytes do not fit; the caller then runs the
 * reference version.
 */
export function fitsStage(wantedBytes: number): boolean {
  top = STAGE_START;
  return wantedBytes + SLACK_BYTES * MAX_ARRAYS < STAGE_END - STAGE_START;
}

/** Largest number of arrays that one call copies to the stage. */
const MAX_ARRAYS = 32;
/**
 * Gap between two arrays. Kernels may read a vector too far, and rows of equal length should not
 * share cache sets.
 */
const SLACK_BYTES = 192;

/**
 * Returns the address of the array's content, which is copied to the stage unless it lies in the
 * kernels' memory.
 */
export function copyIn(array: Samples): number {
  if (isInKernelMemory(array)) return array.byteOffset;
  const at = reserve(array.byteLength);
  memoryBytes().set(asBytes(array), at);
  return at;
}

/**
 * Copies the arrays to the stage without gaps between them, and returns the address of the first.
 */
export function copyInTogether(arrays: readonly Float32Array[]): number {
  const at = reserve(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let to = at;
  for (const array of arrays) {
    memoryBytes().set(asBytes(array), to);
    to += array.byteLength;
  }
  return at;
}

/**
 * Returns an address to which a kernel can write the array's content. The present content is not
 * copied.
 */
export function reserveFor(array: Samples): number {
  return isInKernelMemory(array) ? array.byteOffset : reserve(array.byteLength);
}

/** Returns the address of free memory on the stage. */
export function reserve(byteCount: number): number {
  const at = top;
  top = Math.ceil((at + byteCount + SLACK_BYTES) / 64) * 64;
  return at;
}

/**
 * Copies the result of a kernel from an address of `copyIn` or `reserveFor` into the array, unless
 * it lies there already.
 */
export function copyOut(array: Samples, at: number): void {
  if (isInKernelMemory(array)) return;
  asBytes(array).set(memoryBytes().subarray(at, at + array.byteLength));
}

function memoryBytes(): Buffer {
  bytes ??= Buffer.from(kernelMemory().buffer);
  return bytes;
}

/**
 * Returns a Buffer over the bytes. A Buffer copies parts without making an object for each, and a
 * video's frame has some thousand rows to copy.
 */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function asBytes(array: Samples): Uint8Array {
  return array instanceof Uint8Array
    ? array
    : new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/**
 * Returns the address of a region: `rows` rows of `rowBytes` bytes, from the byte `left` of row
 * `top` on, of an array whose rows are `stride` bytes apart. On the stage there are no gaps between
 * rows; see `strideOf`.
 */
export function copyInRegion(
  array: Uint8Array,
  stride: number,
  left: number,
  top: number,
  rowBytes: number,
  rows: number,
): number {
  const first = top * stride + left;
  if (isInKernelMemory(array)) return array.byteOffset + first;
  const at = reserve(rowBytes * rows);
  const from = bufferOf(array);
  const to = memoryBytes();
  if (rowBytes === stride) from.copy(to, at, first, first + rowBytes * rows);
  else
    for (let row = 0, start = first; row < rows; row++, start += stride)
      from.copy(to, at + row * rowBytes, start, start + rowBytes);
  return at;
}

/** Copies a region that a kernel wrote back to its origin, unless it lies there already. */
export function copyOutRegion(
  array: Uint8Array,
  stride: number,
  left: number,
  top: number,
  rowBytes: number,
  rows: number,
  at: number,
): void {
  if (isInKernelMemory(array)) return;
  const from = memoryBytes();
  const to = bufferOf(array);
  for (let row = 0, start = top * stride + left; row < rows; row++, start += stride)
    from.copy(to, start, at + row * rowBytes, at + (row + 1) * rowBytes);
}

/**
 * Returns the distance in bytes between rows of a region at the address that `copyInRegion`
 * returned.
 */
export function strideOf(array: Uint8Array, stride: number, rowBytes: number): number {
  return isInKernelMemory(array) ? stride : rowBytes;
}
