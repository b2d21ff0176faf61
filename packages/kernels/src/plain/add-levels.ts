/** Adds a level to each sample of a plane. Samples stay from 0 to 255. @param levels row by row */
export function addLevels(
  samples: Uint8Array,
  stride: number,
  levels: Int8Array,
  width: number,
  height: number,
): void {
  for (let y = 0, k = 0; y < height; y++)
    for (let at = y * stride, end = at + width; at < end; at++, k++)
      samples[at] = Math.max(0, Math.min(255, samples[at]! + levels[k]!));
}
