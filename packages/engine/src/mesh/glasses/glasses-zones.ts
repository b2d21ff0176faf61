import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { midlineDistance } from '../uv/texel.ts';
import { glassesHull } from './glasses-hull.ts';

/** Height, in sides, over which what lies above the brows' lower edge begins to be searched. */
const FOREHEAD_ENDS: Ramp = { from: 0.25, to: 0.275 };
/**
 * Distance from the midline, in sides, within which a lens's lower end gives way to the nose's
 * fold.
 */
const FOLD_ASIDE: Ramp = { from: 0.11, to: 0.08 };
/** Height, in sides, from which on that fold is the face's own. */
const FOLD_BELOW: Ramp = { from: 0.5, to: 0.53 };
/**
 * Distance from the midline, in sides, over which arms begin that a tilted head draws high or low.
 */
const ARMS_ASIDE: Ramp = { from: 0.18, to: 0.21 };
/** Height, in sides, at which such arms begin. */
const ARMS_BELOW: Ramp = { from: 0.21, to: 0.23 };
/** Height, in sides, at which such arms end. */
const ARMS_ABOVE: Ramp = { from: 0.5, to: 0.47 };
/** Distance from the midline, in sides, over which rims leave the brows' tails for the temples. */
const BROW_TAIL_ASIDE: Ramp = { from: 0.22, to: 0.15 };
/** Reach of the brows' hair beyond its outline, in sides: a brow ends softly. */
const BROW_REACH_SIDES = 1 / 60;
/** Gain of the brows' blurred outline. */
const BROW_GAIN = 1.5;
/** Distance from the midline, in sides, over which cheeks begin beside the shade of the nose. */
const CHEEKS_ASIDE: Ramp = { from: 0.12, to: 0.15 };
/** Height, in sides, from which on the nose throws that shade. */
const NOSE_SHADE_BELOW: Ramp = { from: 0.46, to: 0.44 };
/** Distance from the midline, in sides, within which the ridge of the nose shines. */
const RIDGE_ASIDE: Ramp = { from: 0.05, to: 0.03 };
/** Height, in sides, from which on it does: above lies the bridge of the glasses. */
const RIDGE_BELOW: Ramp = { from: 0.41, to: 0.42 };
/** Reach of creases and bags beyond the lids, in sides. */
const CREASES_REACH_SIDES = 1 / 45;
/** Blurred share of lids over which lines are as likely creases. */
const CREASES: Ramp = { from: 0.05, to: 0.3 };
/** Share of a line's strength that counts there. */
const CREASE_SHARE = 0.5;
/** Reach of the lashes beyond the eye, in sides. */
const LASHES_REACH_SIDES = 1 / 80;
/** Blurred share of the eye below which a lid's skin is clear of lashes. */
const CLEAR_OF_LASHES = 0.12;

/**
 * Distance from the midline, in sides, up to which the lids' inner corners, without lashes, reach.
 */
const INNER_CORNERS_SIDES = 0.105;

/** Height of a texel in the atlas, in sides. */
function heightOf(texel: number, side: number): number {
  return (Math.floor(texel / side) + 0.5) / side;
}

/** Blurs a copy of a plane that is `side` wide and high. @param sigma in sides */
export function softened(plane: Float32Array, side: number, sigma: number): Float32Array {
  const copy = plane.slice();
  boxBlur(copy, side, side, Math.max(1, boxRadius(sigma * side)), 2);
  return copy;
}

/** 1 on the brows' hair, whatever crosses it, falling to 0 around it and at the tails. */
const browHair = perLayout(({ side, browsSoft }: AtlasLayout): Float32Array =>
  softened(browsSoft, side, BROW_REACH_SIDES).map(
    (brow, i) => Math.min(1, BROW_GAIN * brow) * ramp(BROW_TAIL_ASIDE, midlineDistance(i, side)),
  ),
);

/** What of the search for a source's frames depends on the layout alone; planes of its size. */
export const glassesZones = perLayout((layout: AtlasLayout) => {
  const { side, oval, lids, softEyes } = layout;
  const brows = browHair(layout);
  const hull = glassesHull(layout);
  const lashes = softened(softEyes, side, LASHES_REACH_SIDES);
  const creases = softened(lids, side, CREASES_REACH_SIDES);
  const at = (share: (aside: number, height: number, i: number) => number): Float32Array =>
    oval.map((inside, i) => inside && share(midlineDistance(i, side), heightOf(i, side), i));
  return {
    brows,
    /** Where frames are looked for: skin only. */
    searched: at((aside, height, i) => {
      const arms = ramp(ARMS_ASIDE, aside) * ramp(ARMS_BELOW, height) * ramp(ARMS_ABOVE, height);
      const fold = ramp(FOLD_ASIDE, aside) * ramp(FOLD_BELOW, height);
      const open = (1 - brows[i]!) * (1 - lids[i]!) * (1 - fold);
      return Math.max(hull[i]! * ramp(FOREHEAD_ENDS, height), arms) * open;
    }),
    /** 0 where shade is as broad and dark as frames: there only thin lines count. */
    evenlyLit: at((aside, height) => Math.max(ramp(CHEEKS_ASIDE, aside), ramp(NOSE_SHADE_BELOW, height))),
    /** 0 where the bare nose shines. */
    dull: at((aside, height) => 1 - ramp(RIDGE_ASIDE, aside) * ramp(RIDGE_BELOW, height)),
    /** How much thin lines count: less around the lids. */
    smooth: at((_aside, _height, i) => 1 - (1 - CREASE_SHARE) * ramp(CREASES, creases[i]!)),
    /** 1 on the lids' skin, clear of lashes, over which a rim may run on. */
    crossed: at((aside, _height, i) => {
      const isClear = lashes[i]! < CLEAR_OF_LASHES || (aside < INNER_CORNERS_SIDES && softEyes[i]! < 0.2);
      return lids[i]! > 0 && isClear ? 1 : 0;
    }),
  };
});
