import type { RgbImage } from '@guise/kernels/image.ts';

/** Colour of a pixel or the mean of several, 0..255. */
export type Colour = readonly [red: number, green: number, blue: number];

/**
 * Averages the colour of the pixels around a place, up to this radius aside and up or down, and of
 * one pixel at least; black outside the image.
 */
export function meanColour({ data, width, height }: RgbImage, x: number, y: number, radius: number): Colour {
  const sum = [0, 0, 0] as [number, number, number];
  const reach = Math.max(1, Math.round(radius));
  let count = 0;
  for (
    let row = Math.max(0, Math.round(y) - reach);
    row <= Math.min(height - 1, Math.round(y) + reach);
    row++
  )
    for (
      let column = Math.max(0, Math.round(x) - reach);
      column <= Math.min(width - 1, Math.round(x) + reach);
      column++
    ) {
      for (let k = 0; k < 3; k++) sum[k]! += data[3 * (row * width + column) + k]!;
      count += 1;
    }
  return sum.map((value) => value / Math.max(1, count)) as [number, number, number];
}
