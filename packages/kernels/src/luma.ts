/** Computes the luma of a colour in sRGB, in the same range (Rec. 601). */
export function lumaOf(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
