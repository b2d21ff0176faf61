/**
 * Returns 0 up to `from`, 1 from `to` on, and a cubic with flat ends between. If `from` is above
 * `to`, the result falls instead of rising.
 */
export function smoothstep(from: number, to: number, value: number): number {
  const t = (value - from) / (to - from);
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  return t * t * (3 - 2 * t);
}
