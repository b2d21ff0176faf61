/** Limits a value to the range `least`..`most`. */
export function clamp(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}
