/**
 * Replaces each value, in place, by the largest (`sign` 1) or smallest (-1) value in the square of
 * this radius around it.
 */
export function extremes(
  plane: Float32Array,
  width: number,
  height: number,
  radius: number,
  sign: 1 | -1,
): void {
  const line = new Float32Array(Math.max(width, height) + 2 * radius);
  for (let y = 0; y < height; y++) extremeAlong(plane, y * width, 1, width, radius, sign, line);
  for (let x = 0; x < width; x++) extremeAlong(plane, x, width, height, radius, sign, line);
}

/** Filters one line of the plane with windows that double in length. */
function extremeAlong(
  plane: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
  sign: number,
  line: Float32Array,
): void {
  const length = count + 2 * radius;
  line.fill(-Infinity, 0, length);
  for (let k = 0; k < count; k++) line[radius + k] = sign * plane[start + k * step]!;
  const window = 2 * radius + 1;
  let wide = 1;
  for (; 2 * wide <= window; wide *= 2) {
    for (let k = 0; k + wide < length; k++) if (line[k + wide]! > line[k]!) line[k] = line[k + wide]!;
  }
  for (let k = 0; k < count; k++) {
    const last = line[k + window - wide]!;
    plane[start + k * step] = sign * (line[k]! > last ? line[k]! : last);
  }
}
