/** Kernel of src/face/clear-runs.ts. `runs` contains `count` pairs of 32-bit integers. */
export function clearRuns(plane: usize, runs: usize, count: i32): void {
  const zero = f32x4.splat(0);
  for (let run = 0; run < count; run++, runs += 8) {
    let at = plane + (usize(load<u32>(runs)) << 2);
    const end = plane + (usize(load<u32>(runs, 4)) << 2);
    for (; at + 16 <= end; at += 16) v128.store(at, zero);
    for (; at < end; at += 4) store<f32>(at, 0);
  }
}
