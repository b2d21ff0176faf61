import { maxInPlace as plainMaxInPlace } from '../plain/max-in-place.ts';
import { kernels } from '../wasm/kernels.ts';
import { isInKernelMemory } from '../wasm/memory.ts';
import { copyIn, fitsStage } from '../wasm/stage.ts';

/** Raises each value of a plane, in place, to that of another plane of equal size. */
export function maxInPlace(plane: Float32Array, least: Float32Array): void {
  // Copying a plane there and back takes as long as the work.
  if (!isInKernelMemory(plane) || !fitsStage(least.byteLength)) plainMaxInPlace(plane, least);
  else kernels().maxInPlace(plane.byteOffset, copyIn(least), plane.length);
}
