/** Share of the way to the last measurement by which each frame moves. */
export const EASE = 0.3;

/**
 * Moves from the previous value towards the measured one. @param isFirst ignores the previous one
 * @param isFirst nothing carries over
 */
export function eased(before: number, now: number, isFirst: boolean): number {
  return isFirst ? now : before + EASE * (now - before);
}
