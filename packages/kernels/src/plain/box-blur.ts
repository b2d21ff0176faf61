/**
 * Blurs one float plane in place by repeated box blurs. The edge sample is repeated beyond the
 * borders, and radius 0 changes nothing. Three passes are within 3 % of a Gaussian of `sigma =
 * sqrt(passes * (2 radius + 1)^2 / 12 - passes / 12)`.
 */
export function boxBlur(
  plane: Float32Array,
  width: number,
  height: number,
  radius: number,
  passes = 3,
  scratch: Float32Array = new Float32Array(plane.length),
): void {
  if (radius < 1) return;
  for (let pass = 0; pass < passes; pass++) {
    blurRows(plane, scratch, width, height, radius);
    blurColumns(scratch, plane, width, height, radius);
  }
}

/** Returns the box radius for which three passes are nearest to a Gaussian of this sigma. */
export function boxRadius(sigma: number): number {
  return Math.max(0, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2));
}

function blurRows(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const scale = 1 / (2 * radius + 1);
  const last = width - 1;
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const end = start + last;
    let sum = from[start]! * (radius + 1);
    for (let x = 1; x <= radius; x++) sum += from[x < last ? start + x : end]!;
    // Only near the ends, a border sample enters or leaves the window.
    const inner = width - radius - 1;
    let x = 0;
    for (; x <= radius && x < width; x++) {
      to[start + x] = sum * scale;
      const enter = x + radius + 1;
      sum += from[enter < last ? start + enter : end]! - from[start]!;
    }
    for (let leave = start + x - radius, enter = start + x + radius + 1; x < inner; x++, enter++, leave++) {
      to[start + x] = sum * scale;
      sum += from[enter]! - from[leave]!;
    }
    for (; x < width; x++) {
      to[start + x] = sum * scale;
      sum += from[end]! - from[start + x - radius]!;
    }
  }
}

/** Blurs columns row by row, with a running sum per column, so that memory is read in order. */
function blurColumns(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  radius: number,
): void {
  const scale = 1 / (2 * radius + 1);
  const last = (height - 1) * width;
  const sums = new Float32Array(width);
  for (let x = 0; x < width; x++) sums[x] = from[x]! * (radius + 1);
  for (let y = 1; y <= radius; y++) {
    const start = Math.min(last, y * width);
    for (let x = 0; x < width; x++) sums[x]! += from[start + x]!;
  }
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const enter = Math.min(last, (y + radius + 1) * width);
    const leave = Math.max(0, (y - radius) * width);
    for (let x = 0; x < width; x++) {
      const sum = sums[x]!;
      to[start + x] = sum * scale;
      sums[x] = sum + from[enter + x]! - from[leave + x]!;
    }
  }
}
