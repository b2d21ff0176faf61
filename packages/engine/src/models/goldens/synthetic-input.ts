/**
 * Makes a synthetic picture for comparing networks, which is equal on every machine. It has waves
 * of several lengths with noise, so that every layer sees smooth areas and edges.
 *
 * @returns `height * width * 3` values from `low` to `high`, interleaved (row, column, channel)
 */
export function syntheticInput(height: number, width: number, low: number, high: number): Float32Array {
  const values = new Float32Array(height * width * 3);
  let noise = 1;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++, at++) {
        // Park and Miller's generator, exact in doubles.
        noise = (noise * 48271) % 2147483647;
        const u = (x + 0.5) / width - 0.5;
        const v = (y + 0.5) / height - 0.5;
        const rings = Math.cos(24 * Math.hypot(u, v * (1 + 0.2 * channel)));
        const stripes = Math.sin(31 * u + 17 * v + channel);
        const unit = 0.5 + 0.22 * rings + 0.18 * stripes + 0.2 * (noise / 2147483647 - 0.5);
        values[at] = low + (high - low) * unit;
      }
    }
  }
  return values;
}

/** Converts interleaved values to planes (channel, row, column). */
export function toPlanes(interleaved: Float32Array): Float32Array {
  const plane = interleaved.length / 3;
  return interleaved.map((_, i) => interleaved[(i % plane) * 3 + Math.floor(i / plane)]!);
}
