/**
 * Sets the pixels of `plane` whose centre lies inside the polygon to 1 (even-odd rule). Other
 * pixels are kept.
 * @param corners x0, y0, x1, y1, ..., edge based
 */
export function fillPolygon(
  plane: Float32Array,
  width: number,
  height: number,
  corners: ArrayLike<number>,
): void {
  const count = corners.length / 2;
  const crossings: number[] = [];
  for (let y = 0; y < height; y++) {
    const centre = y + 0.5;
    crossings.length = 0;
    for (let i = 0, j = count - 1; i < count; j = i++) {
      const yi = corners[2 * i + 1]!;
      const yj = corners[2 * j + 1]!;
      if (yi <= centre === yj <= centre) continue;
      const xi = corners[2 * i]!;
      crossings.push(xi + ((centre - yi) / (yj - yi)) * (corners[2 * j]! - xi));
    }
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = Math.max(0, Math.ceil(crossings[k]! - 0.5));
      const to = Math.min(width, Math.ceil(crossings[k + 1]! - 0.5));
      for (let x = from; x < to; x++) plane[y * width + x] = 1;
    }
  }
}
