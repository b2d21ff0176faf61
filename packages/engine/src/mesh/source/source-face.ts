import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { type Face, longerSide } from '../../face/geometry/face.ts';
import type { Atlas } from '../uv/atlas.ts';
import { copyAtlas, copyColours, shrinkColours, unwrapFace } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { type Beard, beardOf } from './worn-beard.ts';
import { completeByMirror } from './complete.ts';
import { dullFeatures } from './feature-gloss.ts';
import { type Glasses, glassesOf, showsGlasses } from './glasses.ts';
import { colourShare } from '../skin/colour-deviation.ts';
import { glossShare } from '../skin/gloss-share.ts';
import type { Light } from '../skin/light.ts';
import { skinLight } from '../skin/light.ts';
import { cleanLipSpill } from './lip-spill.ts';
import { mirrorBurnt } from './mirror-burnt.ts';
import { SmallerAtlases } from '../uv/smaller-atlases.ts';
import { liftVeil, veilOf } from '../skin/veil.ts';
import type { Texture } from '../match/restore.ts';
import { measureTexture } from '../match/restore.ts';
import { type Front, FRONT_SIDE, frontAt, withGlassesOnly } from '../front/front.ts';
import { beardScore, scoresBearded } from '../front/beard.ts';
import { cleanSource } from './source-clean.ts';
import { uncover } from './uncover.ts';
import { shownPlaces } from './shown-places.ts';
import { spoiledEye, withMirroredEye } from './spoiled-eye.ts';

/** Weight of filled skin in the source's light; skin that was not changed has 1. */
const FILLED_WEIGHT = 0.15;
/**
 * Side of a face's box below which the network's hair, hands and beards are not used, pixels: in
 * such a face it takes hard shadows for them.
 */
const MIN_TOLD_PX = 75;
/** Least facing with which a texel counts. */
const MIN_FACING = 0.02;

/** A prepared source, for any number of targets. */
export interface SourceFace {
  readonly atlas: Atlas;
  readonly light: Light;
  /** Landmarks for the proportions, 468 or 478 x (x, y, z), in any similarity. */
  readonly landmarks: Float32Array;
  /** Landmarks of the photo that the atlas's eyes come from, 478 x (x, y, z). */
  readonly eyes: Float32Array;
  /**
   * Coarse plane of how well the photo shows each place, 0 (hidden, turned away or filled) to 1.
   */
  readonly seen: Float32Array;
  /**
   * Coarse plane of how well the atlas shows each place, from the photo or its mirror image; 0
   * where it was filled.
   */
  readonly shown: Float32Array;
  /**
   * Share of each coarse texel that a hand or a mask hides and the other side does not show, 0..1;
   * null if nothing. The target's own face shows there.
   */
  readonly lost: Float32Array | null;
  /** The beard, which the atlas does not show; null if there is no more than stubble. */
  readonly beard: Beard | null;
  /** The glasses, which the atlas does not show; null if there are none that others can wear. */
  readonly glasses: Glasses | null;
  /** Whether glasses hide so much of an eye that the target's eyes and lids stay. */
  readonly hasDoubtfulEyes: boolean;
  /** Share of the skin's visible light that is reflection, 0..1, see `glossShare`. */
  readonly gloss: number;
  /** Share of colour: 0 is black and white, 1 is colour. */
  readonly colour: number;
  /** Side of the atlas's face in source pixels, which limits its detail. */
  readonly facePixels: number;
  /** Sharpness, blur and grain of the atlas. */
  readonly texture: Texture;
}

/**
 * Prepares a source: unwraps it, completes parts that face away, removes everything that is not
 * skin, and measures its light.
 * @param lasting workspace for the atlas, in the kernels' memory; null: ordinary memory
 */
export function prepareSourceFace(
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  face: Face,
  found: Front,
  lasting: Workspace | null = null,
): SourceFace {
  const { side } = layout;
  const facePixels = longerSide(face.box);
  const front = facePixels < MIN_TOLD_PX ? withGlassesOnly(found) : found;
  const coarseLayout = layout.at(COARSE_SIDE);
  // The atlas is in the kernels' memory during the work, so that no kernel copies it in and out.
  using space = new Workspace();
  const work = unwrapFace(layout, pyramid, face.landmarks, lasting ?? space);
  const smaller = new SmallerAtlases(work, space);
  const facing = smaller.plane('facing', COARSE_SIDE);
  const maskLayout = layout.at(Math.min(side, FRONT_SIDE));
  const score = beardScore(front, facing, coarseLayout, space);
  const isBearded = scoresBearded(score);
  const unshaven = isBearded ? copyColours(work, space) : null;
  const worn = showsGlasses(front, face.landmarks, coarseLayout, space) ? copyAtlas(work) : null;
  const spoiled = spoiledEye(front, smaller.at(maskLayout.side), face.landmarks, maskLayout, space);
  const replaced = uncover(work, smaller, front, spoiled, maskLayout, space);
  const beard =
    unshaven && beardOf(unshaven, work, { front, small: smaller.at(COARSE_SIDE), score }, maskLayout, space);
  smaller.forget();
  mirrorBurnt(work, coarseLayout, space, smaller);
  completeByMirror(work, coarseLayout, facing, space, smaller);
  const cleaning = cleanSource(work, layout, front, replaced);
  const { kept, skinLuma, lost, hasDoubtfulEyes } = cleaning;
  // Cleaning does not change where the face looks.
  const small = { ...shrinkColours(work, COARSE_SIDE, space), facing: smaller.plane('facing', COARSE_SIDE) };
  const { oval, features, holes } = coarseLayout;
  const weight = space.uninitialised(kept.length);
  const seen = new Float32Array(kept.length);
  for (let i = 0; i < kept.length; i++) {
    const bare = oval[i]! * (1 - features[i]!) * (1 - holes[i]!);
    weight[i] =
      bare * (FILLED_WEIGHT + (1 - FILLED_WEIGHT) * kept[i]!) * Math.max(MIN_FACING, small.facing[i]!);
    seen[i] = kept[i]! * facing[i]!;
  }
  const shown = shownPlaces(small, cleaning.shown, skinLuma, facing);
  const light = skinLight(small, weight, frontAt(front.shade, COARSE_SIDE, space));
  const veil = veilOf(small, weight, coarseLayout);
  if (veil.luma > 0)
    for (const planes of [work, small, light, ...(worn ? [worn] : [])]) liftVeil(planes, veil);
  const gloss = glossShare(small, light, weight);
  dullFeatures(work, gloss, layout, maskLayout, space);
  const texture = textureOf(work, layout);
  // This comes last, because the edge that it makes says nothing about the photo's sharpness.
  cleanLipSpill(work, layout, space);
  const { landmarks } = face;
  const photo = { front, light, landmarks, areDark: hasDoubtfulEyes, spoiled };
  return {
    atlas: lasting ? work : copyAtlas(work),
    light,
    landmarks,
    eyes: spoiled === null ? landmarks : withMirroredEye(landmarks, spoiled, layout),
    seen,
    shown,
    lost,
    beard,
    glasses: worn && glassesOf(worn, work, photo, layout, space),
    hasDoubtfulEyes,
    texture,
    gloss,
    colour: colourShare(small, coarseLayout),
    facePixels,
  };
}

/** Measures the texture and frees its bands, which nothing needs afterwards. */
export function textureOf({ luma, facing }: Atlas, layout: AtlasLayout): Texture {
  using space = new Workspace();
  const { sharpness, blur, grain } = measureTexture(luma, facing, layout, space);
  return { sharpness, blur, grain };
}
