import { clamp } from '@guise/kernels/clamp.ts';
import type { LensOutline } from '../front/lens-outline.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';

/** Width of the strip at the outer end of a lens that tells the colour of an arm, sides. */
const HINGE_SIDES = 0.03;
/** Height at which an arm begins, as a share of its lens, from the top. */
const HINGE_HEIGHT = 0.3;
/** Height of an arm, as a share of the mean width of a rim. */
const ARM_SHARE = 0.8;
/** Vertices beside the ears, which arms lead to. */
const [LEFT_EAR, RIGHT_EAR] = [127, 356] as const;

/** Paints arms from the lenses to the ears, in place, in the colour of the rims at their hinges. */
export function paintArms(
  { side, luma, blue, red }: AtlasColours,
  rims: Float32Array,
  outline: LensOutline,
  { points, oval }: AtlasLayout,
): void {
  const area = rims.reduce((sum, rim) => sum + rim, 0);
  const high = (ARM_SHARE * area) / (outline.length * side);
  for (const [{ x: lensEnd, top, bottom }, ear, outwards] of [
    [outline.left, LEFT_EAR, -1],
    [outline.right, RIGHT_EAR, 1],
  ] as const) {
    const end = lensEnd * side;
    const hingeY = side * (top + HINGE_HEIGHT * (bottom - top));
    const [earX, earY] = [points[2 * ear]!, points[2 * ear + 1]!];
    const colour = [luma, blue, red].map((plane) => meanAtHinge(plane, rims, side, end));
    if (colour.includes(NaN)) continue;
    const length = outwards * (earX - end);
    for (let step = 0; step < length; step++) {
      const x = Math.floor(end + outwards * step);
      const middle = hingeY + (step / length) * (earY - hingeY);
      for (let y = Math.floor(middle - high); y <= middle + high; y++) {
        const i = y * side + x;
        const covered = oval[i]! * clamp(high / 2 + 0.5 - Math.abs(y + 0.5 - middle), 0, 1);
        const own = covered * (1 - rims[i]!);
        if (own === 0) continue;
        rims[i]! += own;
        const share = own / rims[i]!;
        for (const [k, plane] of [luma, blue, red].entries()) plane[i]! += share * (colour[k]! - plane[i]!);
      }
    }
  }
}

/** Returns the mean of a plane over the rims beside the outer end of a lens; NaN without rims. */
function meanAtHinge(plane: Float32Array, rims: Float32Array, side: number, end: number): number {
  let [sum, area] = [0, 0];
  for (let i = 0; i < rims.length; i++) {
    if (Math.abs((i % side) + 0.5 - end) > HINGE_SIDES * side) continue;
    const weight = rims[i]! ** 2;
    sum += weight * plane[i]!;
    area += weight;
  }
  return sum / area;
}
