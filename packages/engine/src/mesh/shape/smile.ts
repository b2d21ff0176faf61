import { CHIN, LEFT_EYE_CORNERS, MOUTH_CORNERS, RIGHT_EYE_CORNERS, TOP } from '../uv/face-regions.ts';

/** Middle of the upper and of the lower lip's inner edge. */
const LIP_MIDDLES = [13, 14] as const;
/** Outer corners of both eyes. */
const EYE_CORNERS = [RIGHT_EYE_CORNERS[0], LEFT_EYE_CORNERS[1]] as const;
/** Weight of a mouth's width, in widths of both eyes, relative to raised corners. */
const WIDTH_SHARE = 0.2;

/**
 * Measures a smile from any angle: the height of a mouth's corners above its middle, in mouth
 * widths, plus a share of its width. Calm faces have 0.04 to 0.16, smiling faces 0.19 to 0.33.
 * @param landmarks 478 or 468 x (x, y, z)
 */
export function smileOf(landmarks: Float32Array): number {
  const between = (a: number, b: number): readonly number[] =>
    [0, 1, 2].map((k) => landmarks[3 * b + k]! - landmarks[3 * a + k]!);
  const [right, left] = MOUTH_CORNERS;
  const [upper, lower] = LIP_MIDDLES;
  const down = between(TOP, CHIN);
  const raised = [between(right, upper), between(left, lower)].flatMap((vector) =>
    vector.map((value, k) => (value * down[k]!) / 2),
  );
  const width = Math.hypot(...between(right, left));
  const corners = raised.reduce((sum, value) => sum + value, 0) / (width * Math.hypot(...down));
  return corners + (WIDTH_SHARE * width) / Math.hypot(...between(...EYE_CORNERS));
}
