import { clearRuns as plainClearRuns } from '../plain/clear-runs.ts';
import { kernels } from '../wasm/kernels.ts';
import { isInKernelMemory } from '../wasm/memory.ts';
import { copyIn, fitsStage } from '../wasm/stage.ts';

/** Writes 0 to runs of a plane: `runs` holds the first value of each, and the one behind it. */
export function clearRuns(plane: Float32Array, runs: Uint32Array): void {
  // Other planes would be copied for nothing.
  if (!isInKernelMemory(plane) || !fitsStage(runs.byteLength)) plainClearRuns(plane, runs);
  else kernels().clearRuns(plane.byteOffset, copyIn(runs), runs.length >> 1);
}
