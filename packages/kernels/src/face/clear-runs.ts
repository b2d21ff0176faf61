import { clearRuns as plainClearRuns } from '../plain/clear-runs.ts';
import { kernels } from '../wasm/kernels.ts';
import { isInKernelMemory } from '../wasm/memory.ts';
import { copyIn, fitsStage } from '../wasm/stage.ts';

/**
 * Writes 0 to runs of a plane. `runs` holds, for each run, its first index and the index after its
 * last.
 */
export function clearRuns(plane: Float32Array, runs: Uint32Array): void {
  // Copying a plane from other memory would take longer than the work.
  if (!isInKernelMemory(plane) || !fitsStage(runs.byteLength)) plainClearRuns(plane, runs);
  else kernels().clearRuns(plane.byteOffset, copyIn(runs), runs.length >> 1);
}
