/** The value, or the end of the range `least`..`most` that it lies beyond. */
export function clamp(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}
