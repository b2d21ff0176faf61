/**
 * 0 up to `from`, 1 from `to` on, a cubic with flat ends between. `from` above `to` runs the other
 * way.
 */
export function smoothstep(from: number, to: number, value: number): number {
  const t = (value - from) / (to - from);
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  return t * t * (3 - 2 * t);
}
