import { clamp } from '@guise/kernels/clamp.ts';
import type { LensOutline } from '../front/lens-outline.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { SIDES } from '../uv/face-regions.ts';

/** Strip outside of a lens that tells height and colour of its hinge, sides from the lens. */
const HINGE_SIDES = [0.02, 0.06] as const;
/** Height of an arm, as a share of the mean width of a rim. */
const ARM_SHARE = 0.8;

/** Paints arms from the lenses to the ears, in place, in the colour of the rims at their hinges. */
export function paintArms(
  { side, luma, blue, red }: AtlasColours,
  rims: Float32Array,
  outline: LensOutline,
  { points, oval }: AtlasLayout,
): void {
  const area = rims.reduce((sum, rim) => sum + rim, 0);
  const high = (ARM_SHARE * area) / (outline.length * side);
  for (const [lensEnd, ear, outwards] of [
    [outline.ends[0], SIDES[0], -1],
    [outline.ends[1], SIDES[1], 1],
  ] as const) {
    const end = lensEnd * side;
    const hinge = hingeAt(rims, side, (x) => (outwards * (x - end)) / side);
    if (!hinge) continue;
    const colour = [luma, blue, red].map((plane) => meanOf(plane, hinge.weights));
    const [earX, earY] = [points[2 * ear]!, points[2 * ear + 1]!];
    const length = outwards * (earX - end);
    for (let step = 0; step < length; step++) {
      const x = Math.floor(end + outwards * step);
      const middle = hinge.y + (step / length) * (earY - hinge.y);
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

/** Height of a hinge in texels, and how much each texel is part of it. */
interface Hinge {
  readonly y: number;
  readonly weights: Float32Array;
}

/**
 * Finds the hinge beside a lens; null if no rim is there.
 * @param beside distance from the lens, sides
 */
function hingeAt(rims: Float32Array, side: number, beside: (x: number) => number): Hinge | null {
  const [from, to] = HINGE_SIDES;
  const weights = rims.map((rim, i) => {
    const distance = beside((i % side) + 0.5);
    return distance > from && distance < to ? rim ** 2 : 0;
  });
  const y = meanOf(
    Float32Array.from(weights.keys(), (i) => Math.floor(i / side) + 0.5),
    weights,
  );
  return Number.isNaN(y) ? null : { y, weights };
}

/** Returns the weighted mean of a plane; NaN if all weights are 0. */
function meanOf(plane: Float32Array, weights: Float32Array): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < plane.length; i++) {
    sum += weights[i]! * plane[i]!;
    total += weights[i]!;
  }
  return sum / total;
}
