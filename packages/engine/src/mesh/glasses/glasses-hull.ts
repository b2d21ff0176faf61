import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';

/** Half the width of the largest lenses with their rims, sides. */
const LENS_HALF_WIDTH_SIDES = 0.18;
/** Half the height of the largest lenses with their rims, sides. */
const LENS_HALF_HEIGHT_SIDES = 0.17;
/** How far below the eye's middle the middle of a large lens lies, sides. */
const LENS_DROP_SIDES = 0.015;
/** Height above which no bridge crosses the nose, sides. */
const BRIDGE_TOP_SIDES = 0.29;
/** Height below which no pads lie on the nose, sides. */
const BRIDGE_BOTTOM_SIDES = 0.46;
/** Half the width of the nose where bridge and pads lie, sides. */
const BRIDGE_HALF_WIDTH_SIDES = 0.1;
/** Height above the eye's middle up to which arms leave for the ears, sides. */
const ARM_ABOVE_SIDES = 0.1;
/** Height below it down to which they do where a face is turned or tilted, sides. */
const ARM_BELOW_SIDES = 0.1;
/** Width over which the hull fades out, sides. */
const EDGE_SIDES = 0.01;
/** Exponent of the lenses' outline: a rounded box, since lenses reach far into their corners. */
const SQUARENESS = 3;

/**
 * Hull of all glasses, 0..1 and soft at its edge: where lenses, bridge, pads and arms can lie, eyes
 * and brows included. It is the same for all faces, and does not say whether glasses are worn.
 */
export const glassesHull = perLayout(({ side, points, oval }): Float32Array => {
  const lenses = EYES.map(({ corners: [one, other] }) => ({
    x: (points[2 * one]! + points[2 * other]!) / 2 / side,
    y: (points[2 * one + 1]! + points[2 * other + 1]!) / 2 / side,
  }));
  return oval.map((inside, i) => {
    if (inside === 0) return 0;
    const u = ((i % side) + 0.5) / side;
    const v = (Math.floor(i / side) + 0.5) / side;
    const { x, y } = lenses[u < 0.5 ? 0 : 1]!;
    const away =
      (Math.abs(u - x) / LENS_HALF_WIDTH_SIDES) ** SQUARENESS +
      (Math.abs(v - y - LENS_DROP_SIDES) / LENS_HALF_HEIGHT_SIDES) ** SQUARENESS;
    const lens = (1 - away ** (1 / SQUARENESS)) * LENS_HALF_HEIGHT_SIDES;
    const bridge = Math.min(
      BRIDGE_HALF_WIDTH_SIDES - Math.abs(u - 0.5),
      v - BRIDGE_TOP_SIDES,
      BRIDGE_BOTTOM_SIDES - v,
    );
    const isOutside = Math.abs(u - 0.5) > Math.abs(x - 0.5);
    const arm = isOutside ? Math.min(v - y + ARM_ABOVE_SIDES, y + ARM_BELOW_SIDES - v) : -1;
    return inside * smoothstep(-EDGE_SIDES / 2, EDGE_SIDES / 2, Math.max(lens, bridge, arm));
  });
});
