import { smoothstep } from './smoothstep.ts';

/** A soft step from 0 at `from` to 1 at `to`. If `from` is above `to`, the step falls. */
export interface Ramp {
  readonly from: number;
  readonly to: number;
}

/** Returns the height of the ramp at `value`, 0..1: a cubic with flat ends. */
export function ramp({ from, to }: Ramp, value: number): number {
  return smoothstep(from, to, value);
}
