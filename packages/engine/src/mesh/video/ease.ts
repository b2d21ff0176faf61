/** Share of the way to what was measured last that each frame goes. */
export const EASE = 0.3;

/**
 * A step from what was measured before to what is measured now.
 * @param isFirst nothing carries over
 */
export function eased(before: number, now: number, isFirst: boolean): number {
  return isFirst ? now : before + EASE * (now - before);
}
