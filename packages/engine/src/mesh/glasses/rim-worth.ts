import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { dilate } from '../skin/extreme-filter.ts';
import type { GlassesBand } from './glasses-band.ts';
import type { RimStrip } from './rim-strips.ts';

/** What the cells of a strip show. */
export interface RimWorth {
  /** Strength of the line that each cell lies on. */
  readonly strengths: Float32Array;
  /** What a rim gains by leading over each cell: less where bare faces have lines too. */
  readonly worth: Float32Array;
}

/** Distance from the midline that no lens comes nearer to, sides. */
const RIDGE_SIDES = 0.012;
/** Worth of cells that no rim may lead over. */
const BARRED = -1;
/** Strength of half the most worth: else one glaring spot would bend the whole rim. */
const HALF_WORTH_STRENGTH = 0.4;
/** Share of its worth that a line keeps on the lids, where folds are; of clear and bold rims. */
const LID_SHARE = { clear: 0.5, bold: 0.8 };
/** Share that it keeps along the opening of an eye, where lashes are. */
const LASH_SHARE = { clear: 0.15, bold: 0.43 };
/** Distance from the opening of an eye up to which there are lashes, sides. */
const LASH_SIDES = 0.012;
/** Share that it keeps at the height of the brows: rims run below them. */
const BROW_SHARE = 0.35;
/** Heights over which brows end, sides. */
const BROWS_END: Ramp = { from: 0.28, to: 0.325 };
/** Share that it keeps in the folds beside the nose. */
const FOLD_SHARE = 0.3;
/** Height below which those are, sides. */
const FOLDS_TOP_SIDES = 0.47;
/** Distance from the midline up to which they are at that height, sides. */
const FOLDS_ASIDE_SIDES = 0.06;
/** How much further they reach for each side of height below. */
const FOLDS_SLOPE = 1.2;

/** Openings of the eyes with the lashes around them. */
const lashesOf = perLayout(({ side, softEyes }: AtlasLayout): Float32Array => {
  const lashes = softEyes.map((value) => Math.min(1, 2 * value));
  dilate(lashes, side, side, Math.max(1, Math.round(LASH_SIDES * side)));
  return lashes;
});

/**
 * Reads what the cells of a lens's or the bridge's strip show of the lines of a band.
 * @param bold 0..1: how much bolder the rims are than lashes and folds
 */
export function rimWorth(
  lines: Float32Array,
  { side, top, rows }: GlassesBand,
  layout: AtlasLayout,
  { places, isClosed }: RimStrip,
  bold: number,
): RimWorth {
  const strengths = new Float32Array(places.length / 2);
  const worth = new Float32Array(strengths.length);
  const lashes = lashesOf(layout);
  const onLid = mix(LID_SHARE, bold);
  const onLash = mix(LASH_SHARE, bold);
  const isRight = places[0]! > side / 2;
  for (let k = 0; k < strengths.length; k++) {
    const x = places[2 * k]!;
    const y = places[2 * k + 1]!;
    const aside = isRight ? x - side / 2 : side / 2 - x;
    if (isClosed && aside < RIDGE_SIDES * side) {
      worth[k] = BARRED;
      continue;
    }
    const row = clamp(Math.round(y) - top, 0, rows - 1);
    const cell = row * side + clamp(Math.round(x), 0, side - 1);
    const texel = cell + top * side;
    const strength = lines[cell]!;
    let share = 1 - Math.max((1 - onLid) * layout.lids[texel]!, (1 - onLash) * lashes[texel]!);
    if (isClosed) share *= BROW_SHARE + (1 - BROW_SHARE) * ramp(BROWS_END, y / side);
    if (isClosed && isInFold(aside / side, y / side)) share *= FOLD_SHARE;
    strengths[k] = strength;
    worth[k] = (share * strength) / (strength + HALF_WORTH_STRENGTH);
  }
  return { strengths, worth };
}

function mix({ clear, bold }: typeof LID_SHARE, share: number): number {
  return clear + share * (bold - clear);
}

/** Tells whether a place, in sides, lies where folds lead from the nose to the mouth. */
function isInFold(aside: number, v: number): boolean {
  const below = v - FOLDS_TOP_SIDES;
  return below > 0 && aside < FOLDS_ASIDE_SIDES + FOLDS_SLOPE * below;
}
