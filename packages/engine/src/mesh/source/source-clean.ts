import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { mixEnlarged } from '@guise/kernels/face/relight.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { browsAndForehead } from '../uv/brows-and-forehead.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { CoveredByHands } from './covered-by-hands.ts';
import { findCoveredEye } from './covered-eye.ts';
import { hasDoubtfulBrows, hasDoubtfulEyes } from '../glasses/doubtful-eyes.ts';
import { takeOffGlasses } from '../glasses/take-off-glasses.ts';
import { findForeign } from './find-foreign.ts';
import { hairBeside } from './hair-beside.ts';
import { mirrorFeatures } from './mirror-features.ts';
import { findShiningBrow } from './shining-brow.ts';
import { areBrowsHidden } from './hidden-brows.ts';
import { findMask } from '../skin/face-mask.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { fitSkin } from '../skin/skin-model.ts';
import { eyeArea } from '../uv/eye-area.ts';
import { SmallerAtlases } from '../uv/smaller-atlases.ts';
import { mirrorTexel } from '../uv/texel.ts';
import { clamp } from '@guise/kernels/clamp.ts';

/**
 * Largest side of the atlas in which foreign places are found and filled: the edges of hair are
 * soft.
 */
export const MAX_MASK_SIDE = 256;
/** Share of the mirrored side's finer detail that is put on a filled place. */
const MIRRORED_DETAIL_SHARE = 0.8;
/** Largest such detail, as a share of the luma: pores and wrinkles, no edges of what is no skin. */
const MAX_DETAIL_SHARE = 0.06;
/** Share of the shading model in how bright a filled place is; the rest comes of its neighbours. */
const MODEL_SHARE = 0.4;

/** Box radius by which a mask is grown, coarse texels. */
const MASK_GROWTH_TEXELS = 2;
/** Steepness of the grown mask's edge. */
const GROWTH_GAIN = 4;
/** Box radius over which the target's own shows where the source has nothing, coarse texels. */
const LOST_EDGE_TEXELS = 2;

/** What was done to a source's atlas. */
export interface Cleaning {
  /** How much of each texel was left as it was, 0..1, coarse. */
  readonly kept: Float32Array;
  /** Luma that the shading model expects of bare skin, coarse. */
  readonly skinLuma: Float32Array;
  /** The eye (index of `EYES`) that is the mirror image of the other now. */
  readonly mirroredEye: 0 | 1 | null;
  /** What a hand or a mask hides and the other side does not show, 0..1, coarse; null: nothing. */
  readonly lost: Float32Array | null;
  /** Whether hair or glasses hide both brows, which are filled like skin. */
  readonly hidesBrows: boolean;
  /** Glasses hid so much of an eye that both are a guess. */
  readonly hasDoubtfulEyes: boolean;
}

type Planes = readonly [luma: Float32Array, blue: Float32Array, red: Float32Array];

/**
 * Takes what is not the face's own skin (hair, bangs, glasses, hands) off the source's atlas, in
 * place: glasses first, so that nothing else sees them; then skin areas that the skin model rejects
 * are filled smoothly from the clean skin around, with the mirrored side's detail where that is
 * clean. Nostrils and lips are never touched, brows and lids only where something lies over them,
 * eyes only where hair does; brows that hair or rims hide are filled whole, and so is one that
 * shines.
 * @param unseen how much of each texel is the other side's mirror image already (see
 * `completeByMirror`), coarse or null
 * @param hasGlasses whether glasses are worn
 * @param before smaller copies of the atlas as it is given
 */
export function cleanSource(
  atlas: Atlas,
  layout: AtlasLayout,
  unseen: Float32Array | null,
  hasGlasses: boolean,
  byHands: CoveredByHands | null = null,
  before: SmallerAtlases | null = null,
): Cleaning {
  using space = new Workspace();
  const smaller = before ?? new SmallerAtlases(atlas, space);
  const { side } = atlas;
  const coarseLayout = layout.at(COARSE_SIDE);
  const maskLayout = layout.at(Math.min(side, MAX_MASK_SIDE));
  let mid = smaller.at(maskLayout.side);
  let small = smaller.at(COARSE_SIDE);
  const mask = findMask(small, coarseLayout, space);
  const model = fitSkin(small, mask ? mask.bare : beardlessCore(coarseLayout), space);
  let glasses: Float32Array | null = null;
  let isDoubtful = false;
  let areBrowsDoubtful = false;
  if (hasGlasses) {
    glasses = takeOffGlasses(atlas, layout, mid, maskLayout, model, space);
    const bare = shrinkAtlas(atlas, maskLayout.side, space);
    isDoubtful = hasDoubtfulEyes(mid, bare, maskLayout);
    areBrowsDoubtful = hasDoubtfulBrows(mid, bare, maskLayout);
    mid = bare;
    small = shrinkAtlas(mid, COARSE_SIDE, space);
  }
  const foreign = findForeign(space, mid, maskLayout, small, coarseLayout, model, unseen);
  if (byHands) maxInPlace(foreign, byHands.filled);
  const hidesBrows = areBrowsDoubtful || areBrowsHidden(small, coarseLayout, model);
  if (hidesBrows) maxInPlace(foreign, enlarged(browsAndForehead(coarseLayout), maskLayout, space));
  const shiningBrow = hidesBrows ? null : findShiningBrow(small, coarseLayout, model);
  if (shiningBrow) maxInPlace(foreign, enlarged(shiningBrow, maskLayout, space));
  const underMask = mask && grown(mask.covered, space);
  if (underMask) maxInPlace(foreign, enlarged(underMask, maskLayout, space));

  const covered = findCoveredEye(foreign, maskLayout, space);
  if (covered?.isWhole) {
    const beside = hairBeside(covered.eye, small, coarseLayout, model);
    maxInPlace(foreign, enlarged(beside, maskLayout, space));
  }
  if (covered) maxInPlace(foreign, covered.area);
  if (glasses) maxInPlace(glasses, foreign);
  const kept = shrinkSquare(glasses ?? foreign, maskLayout.side, COARSE_SIDE);
  for (let i = 0; i < kept.length; i++) kept[i] = 1 - kept[i]!;

  if (isDoubtful) maxInPlace(foreign, lidArea(maskLayout));
  const unlike = covered ? onBothSides(space, foreign, covered.area, maskLayout.side) : foreign;
  const skin = smoothFill(space, mid, maskLayout, unlike, model);
  for (const [k, plane] of [atlas.luma, atlas.blue, atlas.red].entries()) {
    mixEnlarged(plane, skin[k]!, foreign, maskLayout.side, side);
  }
  mirrorDetail(space, atlas, layout, foreign, farFromFeatures(maskLayout));
  mirrorFeatures(atlas, layout, foreign, skin, covered);
  const lost = underMask ?? (byHands && shrinkSquare(byHands.lost, maskLayout.side, COARSE_SIDE));
  if (lost) boxBlur(lost, COARSE_SIDE, COARSE_SIDE, LOST_EDGE_TEXELS, 2);
  return {
    kept,
    skinLuma: model.luma.slice(),
    mirroredEye: covered?.isWhole ? covered.eye : null,
    lost: lost && lost.slice(),
    hidesBrows,
    hasDoubtfulEyes: isDoubtful,
  };
}

/** Lids and the skin around them: those of doubtful eyes are never drawn, nor may they peep out. */
const lidArea = perLayout((layout: RegionMasks): Float32Array =>
  eyeArea(layout).map((share, i) => share * (1 - layout.softEyes[i]!)),
);

/** Grows what a mask covers beyond its edge, which is never sharp in a photo. */
function grown(covered: Float32Array, make: PlaneMaker): Float32Array {
  const out = make.copyOf(covered);
  boxBlur(out, COARSE_SIDE, COARSE_SIDE, MASK_GROWTH_TEXELS, 2);
  for (let i = 0; i < out.length; i++) out[i] = Math.min(1, GROWTH_GAIN * out[i]!);
  return out;
}

/** Enlarges a coarse plane to a layout's size. */
function enlarged(coarse: Float32Array, { side }: RegionMasks, make: PlaneMaker): Float32Array {
  return enlargeSquare(coarse, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(side * side));
}

/**
 * `filled`, and either side's eye: the shades of its socket are no skin to compare the two sides
 * by.
 */
function onBothSides(make: PlaneMaker, filled: Float32Array, area: Float32Array, side: number): Float32Array {
  const both = make.copyOf(filled);
  for (let i = 0; i < both.length; i++) {
    const other = area[mirrorTexel(i, side)]!;
    if (other > both[i]!) both[i] = other;
  }
  return both;
}

/** Bare skin a little away from features, which must not bleed into a fill. */
const farFromFeatures = perLayout(({ oval, features, holes }: RegionMasks): Float32Array =>
  oval.map((inside, i) => inside * Math.max(0, 1 - 3 * features[i]!) * (1 - holes[i]!)),
);

/** One smooth surface from the skin that is not `foreign`, of the mask's size like `atlas`. */
function smoothFill(
  space: Workspace,
  { side, luma, blue, red }: Atlas,
  layout: RegionMasks,
  foreign: Float32Array,
  model: SkinModel,
): Planes {
  const near = space.copyOf(foreign);
  boxBlur(near, side, side, Math.max(1, side >> 7), 1);
  const trust = space.copyOf(farFromFeatures(layout));
  for (let i = 0; i < trust.length; i++) {
    if (trust[i] === 0) continue;
    const clean = Math.max(0, 1 - 3 * Math.max(near[i]!, foreign[i]!));
    trust[i]! *= clean * clean;
  }
  const fill: Planes = [space.copyOf(luma), space.copyOf(blue), space.copyOf(red)];
  pushPull(fill, trust, side);
  // What is left in it of single texels is taken off.
  for (const plane of fill) boxBlur(plane, side, side, Math.max(2, side >> 6), 2);
  // Neighbouring skin says what colour, the shading model too how bright: far from any skin the two
  // agree less, so the mean.
  const expected = enlargeSquare(
    model.luma,
    COARSE_SIDE,
    side / COARSE_SIDE,
    space.uninitialised(side * side),
  );
  const level = fill[0];
  boxBlur(trust, side, side, side >> 4, 2);
  for (let i = 0; i < level.length; i++) {
    const far = Math.max(0, 1 - 4 * trust[i]!);
    level[i]! += MODEL_SHARE * far * (expected[i]! - level[i]!);
  }
  return fill;
}

/**
 * Puts the finer detail of the other side on what was filled (`foreign`, of the mask's size like
 * `bare`), in place.
 */
function mirrorDetail(
  space: Workspace,
  atlas: Atlas,
  { oval }: RegionMasks,
  foreign: Float32Array,
  bare: Float32Array,
): void {
  const { side, luma } = atlas;
  const maskSide = Math.sqrt(foreign.length);
  const factor = side / maskSide;
  // Filled smoothly before: measured here, there is no edge between skin and hair.
  const around = space.copyOf(luma);
  boxBlur(around, side, side, Math.max(1, Math.round(side / 64)), 1);
  for (let cellY = 0, cell = 0; cellY < maskSide; cellY++) {
    for (let cellX = 0; cellX < maskSide; cellX++, cell++) {
      if (foreign[cell] === 0) continue;
      // Both sides of a pair never change: one of the two shares is small.
      const other = mirrorTexel(cell, maskSide);
      const share = MIRRORED_DETAIL_SHARE * foreign[cell]! * (1 - foreign[other]!) * bare[other]!;
      if (share === 0) continue;
      for (let y = cellY * factor; y < (cellY + 1) * factor; y++) {
        for (let x = cellX * factor; x < (cellX + 1) * factor; x++) {
          const mirrored = mirrorTexel(y * side + x, side);
          if (oval[mirrored] === 0) continue;
          const most = MAX_DETAIL_SHARE * around[mirrored]!;
          const detail = luma[mirrored]! - around[mirrored]!;
          luma[y * side + x]! += share * clamp(detail, -most, most);
        }
      }
    }
  }
}
