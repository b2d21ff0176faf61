/**
 * Converts luma and the two colour differences of an atlas to red, green and blue, levels (Rec.
 * 601), without clamping.
 */
export function atlasRgb(luma: number, blue: number, red: number): [r: number, g: number, b: number] {
  const r = luma + red / 0.713;
  const b = luma + blue / 0.564;
  return [r, (luma - 0.299 * r - 0.114 * b) / 0.587, b];
}
