import { dilate, erode } from '../skin/extreme-filter.ts';

/** Rows of an atlas in which glasses lie: planes of the band are `side * rows` texels. */
export interface GlassesBand {
  readonly side: number;
  /** First row of the atlas that is part of it. */
  readonly top: number;
  readonly rows: number;
}

/** Height in the atlas at which the band begins, sides. */
const TOP_SIDES = 0.2;
/** Height in the atlas at which the band ends, sides. */
const BOTTOM_SIDES = 0.64;

export function glassesBand(side: number): GlassesBand {
  const top = Math.floor(TOP_SIDES * side);
  return { side, top, rows: Math.ceil(BOTTOM_SIDES * side) - top };
}

/** Puts a plane of the band into one of the whole atlas. */
export function wholePlane(plane: Float32Array, { side, top }: GlassesBand): Float32Array {
  const whole = new Float32Array(side * side);
  whole.set(plane, top * side);
  return whole;
}

/** Closes gaps of at most twice `radiusSides` in a plane of the band, in place. */
export function closeGaps(plane: Float32Array, { side, rows }: GlassesBand, radiusSides: number): void {
  const radius = Math.max(1, Math.round(radiusSides * side));
  dilate(plane, side, rows, radius);
  erode(plane, side, rows, radius);
}
