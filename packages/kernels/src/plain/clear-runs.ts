/**
 * Writes 0 to runs of a plane. `runs` holds, for each run, its first index and the index after its
 * last.
 */
export function clearRuns(plane: Float32Array, runs: Uint32Array): void {
  for (let k = 0; k < runs.length; k += 2) plane.fill(0, runs[k], runs[k + 1]);
}
