import { dilate } from '@guise/kernels/filter/extremes.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { type Front, FRONT_SIDE } from './front.ts';
import { texelsWhere } from '../uv/texel.ts';

/** Share of hair in a texel from which it belongs to a lock. */
const HAIR = 0.25;
/** Gap, texels, that the network may leave in a lock. */
const GAP_TEXELS = 3;

/** Texels beyond the oval, 1 for each, and those inside from which a lock may begin. */
const rootsOf = perLayout(({ oval }: Pick<RegionMasks, 'oval'>) => {
  const near = oval.map((inside) => (inside > 0 ? 0 : 1));
  const beyond = Uint8Array.from(near);
  dilate(near, FRONT_SIDE, FRONT_SIDE, GAP_TEXELS);
  return { beyond, beside: texelsWhere(oval.length, (i) => near[i]! > beyond[i]!) };
});

/**
 * Removes, in place, hair that does not come from beyond the face's oval: dark shade on small faces
 * and the ends of bushy brows look like hair, but all hair hangs from the head.
 * @param layout of `FRONT_SIDE`
 */
export function removeUnrootedHair({ shares, needed }: Front, layout: Pick<RegionMasks, 'oval'>): void {
  const { hair } = shares;
  const { beyond, beside } = rootsOf(layout);
  const isRooted = beyond.slice();
  const open: number[] = [];
  const root = (i: number): void => {
    if (isRooted[i] === 1 || hair[i]! < HAIR) return;
    isRooted[i] = 1;
    open.push(i);
  };
  for (const i of beside) root(i);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % FRONT_SIDE, Math.floor(at / FRONT_SIDE)];
    const right = Math.min(FRONT_SIDE - 1, x + GAP_TEXELS);
    const bottom = Math.min(FRONT_SIDE - 1, y + GAP_TEXELS);
    for (let v = Math.max(0, y - GAP_TEXELS); v <= bottom; v++)
      for (let u = Math.max(0, x - GAP_TEXELS); u <= right; u++) root(v * FRONT_SIDE + u);
  }
  for (let i = 0; i < hair.length; i++) {
    if (isRooted[i] === 1) continue;
    needed[i]! *= 1 - hair[i]!;
    hair[i] = 0;
  }
}
