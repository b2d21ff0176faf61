/** Share of the way to the last measurement that a value moves in each frame. */
export const EASE = 0.3;

/**
 * Moves from the previous value towards the measured one.
 * @param isFirst whether to ignore the previous value
 */
export function eased(before: number, now: number, isFirst: boolean): number {
  return isFirst ? now : before + EASE * (now - before);
}
