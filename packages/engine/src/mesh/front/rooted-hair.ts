import type { RegionMasks } from '../uv/region-masks.ts';
import { type Front, FRONT_SIDE } from './front.ts';

/** Share of hair in a texel from which it belongs to a lock. */
const HAIR = 0.25;
/** Gap, texels, that the network may leave in a lock. */
const GAP_TEXELS = 3;

/**
 * Removes, in place, hair that does not come from beyond the face's oval: dark shade on small faces
 * and the ends of bushy brows look like hair, but all hair hangs from the head.
 */
export function removeUnrootedHair({ shares, needed }: Front, { oval }: Pick<RegionMasks, 'oval'>): void {
  const { hair } = shares;
  const isRooted = new Uint8Array(hair.length);
  const open: number[] = [];
  for (let i = 0; i < hair.length; i++) {
    if (oval[i]! > 0) continue;
    isRooted[i] = 1;
    open.push(i);
  }
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % FRONT_SIDE, Math.floor(at / FRONT_SIDE)];
    const right = Math.min(FRONT_SIDE - 1, x + GAP_TEXELS);
    const bottom = Math.min(FRONT_SIDE - 1, y + GAP_TEXELS);
    for (let v = Math.max(0, y - GAP_TEXELS); v <= bottom; v++)
      for (let u = Math.max(0, x - GAP_TEXELS); u <= right; u++) {
        const i = v * FRONT_SIDE + u;
        if (isRooted[i] === 1 || hair[i]! < HAIR) continue;
        isRooted[i] = 1;
        open.push(i);
      }
  }
  for (let i = 0; i < hair.length; i++) {
    if (isRooted[i] === 1) continue;
    needed[i]! *= 1 - hair[i]!;
    hair[i] = 0;
  }
}
