import { dilate } from '@guise/kernels/filter/extremes.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import { mixEnlarged } from '@guise/kernels/face/relight.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { seenMedian } from '../skin/beard-parts.ts';
import { beardCover } from '../skin/beard-cover.ts';
import { beardScore, chinTipDarkness, scoresBearded } from '../skin/beard-score.ts';
import { bareSkin } from '../uv/bare-skin.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import { fitSkin } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { SmallerAtlases } from '../uv/smaller-atlases.ts';
import { midlineDistance } from '../uv/texel.ts';
import { heightOf, ZONES, zonePlane } from '../uv/zones.ts';

/** Texels of a coarse plane. */
const TEXEL_COUNT = COARSE_SIDE * COARSE_SIDE;
/** Share of its strokes that shaven stubble keeps. */
const STUBBLE_STROKES = 0.25;
/** Share that a beard keeps: its hairs are longer than those of any stubble. */
const BEARD_STROKES = 0.1;
/** Largest relative darkness of stubble. */
const MAX_STUBBLE_DARKNESS = 0.12;
/** Relative darkness of a beard over which its stubble is as dark as that. */
const STUBBLED_DARKNESS: Ramp = { from: 0, to: 0.4 };
/** Relative darkness of the chin's lower edge over which stubble is shaven closer, too. */
const STUBBLED_CHIN: Ramp = { from: 0.24, to: 0.34 };
/** Box radius over which a beard's strokes have one tone, texels. */
const TONE_RADIUS_TEXELS = 2;
/** Box radius of the skin that is continued under a beard, texels. */
const SKIN_RADIUS_TEXELS = 3;
/**
 * Texels by which a moustache reaches beyond what is seen of it beside the nose: its ends are thin
 * hairs and their shade, which look like stains once the rest is gone.
 */
const ENDS_TEXELS = 4;
/** Box radius of the soft edge of what is shaven there, texels. */
const ENDS_EDGE_TEXELS = 1;
/** Height of the mouth in the atlas, in sides. */
const MOUTH_HEIGHT_SIDES = 0.69;
/** Distance from the mouth, in sides, over which a beard is shaven. */
const SHAVEN_DISTANCE: Ramp = { from: 0.1, to: 0.24 };
/** Relative darkness of the lips against the skin around from which hair hides them. */
const HIDDEN_LIP_DARKNESS = 0.25;
/** Height below which lips are the only feature that hair lies beside, in sides. */
const LIP_ZONE_TOP_SIDES = 0.6;
/** Gain of the height in that distance: the edge of the chin is nearer than that of the jaw. */
const HEIGHT_GAIN = 1.35;

/** How much of a beard each coarse texel loses: none around the mouth, all at the mesh's edge. */
const shavenZone = perLayout((layout: AtlasLayout): Float32Array =>
  bareSkin(layout).map((bare, i) => {
    const above = heightOf(i, COARSE_SIDE) - MOUTH_HEIGHT_SIDES;
    return bare * ramp(SHAVEN_DISTANCE, Math.hypot(midlineDistance(i, COARSE_SIDE), HEIGHT_GAIN * above));
  }),
);

/**
 * Skin that a beard may cover, up to the lips themselves: hair hangs over their edge, and a ring of
 * it would be left.
 */
const wholeZone = perLayout((layout: AtlasLayout): Float32Array => {
  const { oval, features, holes, nostrils } = layout;
  const { whole } = lipMasks(layout);
  return oval.map((inside, i) => {
    const isBelowNose = heightOf(i, COARSE_SIDE) > LIP_ZONE_TOP_SIDES;
    const kept = isBelowNose ? Math.max(whole[i]!, nostrils[i]!) : features[i]!;
    return inside * (1 - Math.max(kept, holes[i]!));
  });
});

/**
 * Shaves a source's beard to stubble, in place, with the moustache: it would end where the mesh
 * does, as throats are the target's, and stubble may end anywhere. Its tone becomes the cheeks',
 * somewhat darker and of no colour of its own, and little is left of its strokes.
 * @returns whether the beard hides the lips
 */
export function shaveBeard(
  atlas: Atlas,
  layout: AtlasLayout,
  make: PlaneMaker = ordinaryPlanes,
  smaller: SmallerAtlases = new SmallerAtlases(atlas, make),
): boolean {
  const coarseLayout = layout.at(COARSE_SIDE);
  const small = smaller.at(COARSE_SIDE);
  const model = fitSkin(small, beardlessCore(coarseLayout), make);
  const isBearded = scoresBearded(beardScore(small, coarseLayout, model, make));
  const strength = isBearded ? 1 : ramp(STUBBLED_CHIN, chinTipDarkness(small, coarseLayout, make));
  if (strength === 0) return false;
  const share = beardCover(small, coarseLayout, model, make);
  if (isBearded) reachBesideNose(share, coarseLayout, make);
  const skin = skinBeneath(small, share, coarseLayout, make);
  const hidesLips = isBearded && areLipsHidden(small, skin, coarseLayout, make);
  const tone = make.copyOf(small.luma);
  normalisedBlur([tone], bareSkin(coarseLayout), COARSE_SIDE, COARSE_SIDE, TONE_RADIUS_TEXELS);
  const zone = isBearded ? wholeZone(coarseLayout) : shavenZone(coarseLayout);
  const left = isBearded ? BEARD_STROKES : STUBBLE_STROKES;
  const strokes = make.uninitialised(TEXEL_COUNT);
  for (let i = 0; i < TEXEL_COUNT; i++) {
    const darker = relativeDarkness(skin.luma[i]!, tone[i]!);
    const lit = 1 - MAX_STUBBLE_DARKNESS * ramp(STUBBLED_DARKNESS, darker);
    share[i]! *= strength * zone[i]!;
    strokes[i] = share[i]! * (1 - left);
    // So that mixing by `strokes` gives the skin's tone and a share of what was finer than `tone`.
    skin.luma[i] = (lit * skin.luma[i]! - left * tone[i]!) / (1 - left);
    skin.blue[i]! *= lit;
    skin.red[i]! *= lit;
  }
  mixEnlarged(atlas.luma, skin.luma, strokes, COARSE_SIDE, atlas.side);
  mixEnlarged(atlas.blue, skin.blue, share, COARSE_SIDE, atlas.side);
  mixEnlarged(atlas.red, skin.red, share, COARSE_SIDE, atlas.side);
  smaller.forget();
  return hidesLips;
}

/** Skin beside the nose, where a moustache ends. */
const besideNose = perLayout(({ side }: AtlasLayout) => zonePlane(side, ZONES.besideNose));

/** Makes what a beard covers reach further up beside the nose, in place. */
function reachBesideNose(cover: Float32Array, layout: AtlasLayout, make: PlaneMaker): void {
  const grown = make.copyOf(cover);
  dilate(grown, COARSE_SIDE, COARSE_SIDE, ENDS_TEXELS);
  boxBlur(grown, COARSE_SIDE, COARSE_SIDE, ENDS_EDGE_TEXELS, 2);
  const beside = besideNose(layout);
  for (let i = 0; i < TEXEL_COUNT; i++) cover[i] = Math.max(cover[i]!, grown[i]! * beside[i]!);
}

/** Tells hair over the lips: bare ones are redder than the skin beside them, but hardly darker. */
function areLipsHidden(
  small: Atlas,
  skin: Pick<Atlas, 'luma'>,
  layout: AtlasLayout,
  make: PlaneMaker,
): boolean {
  const { texels } = lipMasks(layout);
  const own = seenMedian(small, small.luma, texels, make);
  const around = seenMedian(small, skin.luma, texels, make);
  return own !== null && around !== null && relativeDarkness(around, own) >= HIDDEN_LIP_DARKNESS;
}

/** Continues the bare skin of cheeks and nose smoothly under a beard: luma and colours, coarse. */
function skinBeneath(
  small: Atlas,
  cover: Float32Array,
  layout: AtlasLayout,
  make: PlaneMaker,
): Pick<Atlas, 'luma' | 'blue' | 'red'> {
  const bare = bareSkin(layout);
  const trust = make.uninitialised(TEXEL_COUNT);
  for (let i = 0; i < TEXEL_COUNT; i++)
    trust[i] = Math.max(0, 3 * bare[i]! - 2) * Math.max(0, 1 - 4 * cover[i]!);
  const skin = {
    luma: make.copyOf(small.luma),
    blue: make.copyOf(small.blue),
    red: make.copyOf(small.red),
  };
  const planes = Object.values(skin);
  pushPull(planes, trust, COARSE_SIDE);
  for (const plane of planes) boxBlur(plane, COARSE_SIDE, COARSE_SIDE, SKIN_RADIUS_TEXELS, 2);
  return skin;
}
