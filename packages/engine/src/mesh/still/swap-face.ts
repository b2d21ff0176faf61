import type { RgbImage } from '@guise/kernels/image.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import { type Face, longerSide } from '../../face/geometry/face.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { keepsBeard } from '../front/beard.ts';
import type { Front } from '../front/front.ts';
import { compositeFace } from '../draw/composite.ts';
import { withIrises } from '../match/eye.ts';
import { followGaze } from '../match/eyes.ts';
import { matchHardLight, shineOf } from '../match/hard-light.ts';
import { irisTexels, meanColour } from '../match/iris-ring.ts';
import { narrowing } from '../match/suited-eyes.ts';
import { tintIrises } from '../match/tint-irises.ts';
import { matchExpression, smileSurplus } from '../match/expression-relief.ts';
import { keepSkin, unseenShare } from '../match/keep-unseen.ts';
import { lightenedShare, lightness } from '../match/lightened-share.ts';
import { measurableEyes, whitesShown } from '../match/light-eyes.ts';
import { borrowLips, lipDetail } from '../match/borrow-lips.ts';
import { borrowPores, poreShare } from '../match/pores.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import { type FindFaults, mendFace } from '../mend/mend-face.ts';
import { beardMesh, beardReach } from '../shape/beard-mesh.ts';
import type { ShapeModel } from '../shape/shape-model.ts';
import { transferShape } from '../shape/shape.ts';
import { smileOf } from '../shape/smile.ts';
import { atlasSideLight, suitSide } from '../source/mirror-source.ts';
import { bearded } from '../source/worn-beard.ts';
import type { SourceFace } from '../source/source-face.ts';
import { retractBeard } from '../target/retract-beard.ts';
import { hiddenBeard, readTargetFace, type TargetFace, without } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, pixelTexels } from '../uv/atlas-layout.ts';
import { lightFace } from './light-face.ts';
import { matchSharpness, opacityOf, packFace } from './texture-face.ts';
import { drawGlasses, wearing } from './wear-glasses.ts';

/**
 * Share of the source's proportions that the target gets; more costs expression and pose (measured,
 * bench/quality.ts).
 */
const SHAPE_STRENGTH = 1.2;

/**
 * Share of the tone of the target's lips that the swapped lips get in a beard. Without it, lipstick
 * or darkened lips look odd there.
 */
const BEARDED_LIP_TONE = 0.7;
/**
 * Divisor of the atlas's side: the radius in which the tone of the lips is measured, so that shine
 * does not count.
 */
const LIP_REACH = 24;

/**
 * Smallest longer side of a face's box from which the face is mended, pixels. Faults of smaller
 * faces are hardly visible.
 */
const MIN_MENDED_PX = 48;

/** Swap of one face of a photo. */
export interface StillSwap {
  readonly source: SourceFace;
  /** The target photo. */
  readonly pyramid: ImagePyramid;
  readonly face: Face;
  /** Things in front of the face. */
  readonly front: Front;
  /** Hands that may be in front of the face. */
  readonly hands: readonly Hand[];
  readonly restore: RestoreOptions;
  /** Buffer for the result: a copy of the target's pixels, or those pixels themselves. */
  readonly data: Uint8Array;
}

/**
 * Replaces one face of a photo. The source is not read after the first `await`.
 * @param timingsMs receives the duration of each step
 */
export async function swapFace(
  layout: AtlasLayout,
  shapes: ShapeModel,
  findFaults: FindFaults,
  { source: given, pyramid, face, front, hands, restore, data }: StillSwap,
  timingsMs: Record<string, number>,
): Promise<RgbImage> {
  const { landmarks } = face;
  const facePixels = longerSide(face.box);
  const { image } = pyramid;
  const step = <T>(name: string, work: () => T): T => {
    const since = performance.now();
    const result = work();
    timingsMs[name] = performance.now() - since;
    return result;
  };
  // Planes that nothing needs after the swap.
  using space = new Workspace();

  const read = step('readTarget', () =>
    readTargetFace(
      layout,
      pyramid,
      landmarks,
      front,
      space,
      (score) => keepsBeard(score, given.beard?.score ?? 0),
      hands,
    ),
  );
  const source = step('source', () => {
    const coarse = layout.at(COARSE_SIDE);
    const litFrom = atlasSideLight(read.light.luma, coarse);
    const suited = suitSide(given, { meshes: [landmarks], litFrom }, coarse);
    return wearing(suited, landmarks, front, coarse, space);
  });
  if (read.hands) maxInPlace(read.occluded, read.hands);
  if (source.lost) keepTarget(read.occluded, source.lost, layout.side, space);
  // A bearded target keeps its own, and the source is not read once something is awaited.
  const beard = read.beard ? null : source.beard;
  const uncovered = step('unseen', () => {
    const kept = unseenShare({ ...source, beard }, read, layout.at(COARSE_SIDE), space);
    return keepSkin(read, kept, layout, space);
  });
  // Nothing is copied from a beard as if it was skin.
  const target = { ...uncovered, occluded: withBeard(uncovered, space) };
  const skin = lightness(source.light, layout.at(COARSE_SIDE));
  const whites = source.hasDoubtfulEyes ? 0 : whitesShown(source.atlas, skin, layout);
  const mesh = step('shape', () =>
    transferShape(shapes, source.landmarks, landmarks, SHAPE_STRENGTH, {
      closesLips: true,
      narrowsEyes: whites * narrowing(source.eyes, landmarks),
    }),
  );
  const lightened = lightenedShare(source, target.light, layout.at(COARSE_SIDE));
  const lit = step('light', () => {
    const eyes = measurableEyes(source.eyes, landmarks);
    return lightFace(source, target, lightened, eyes, layout, restore, space);
  });
  step('expression', () => {
    const surplus = smileSurplus(smileOf(source.landmarks), smileOf(landmarks));
    matchExpression(lit, target, surplus * restore.restoreVisibility, layout, space);
  });
  const shine = step('hardLight', () => {
    const found = shineOf(target, layout, space);
    matchHardLight(lit, target, found.kept * restore.restoreVisibility, layout, space);
    return found;
  });
  const unresolved = poreShare(source.facePixels, facePixels, layout.side);
  const wide = pixelTexels(layout.side, source.facePixels);
  step('pores', () => {
    const share = Math.max(unresolved, lightened, shine.gloss);
    borrowPores(lit, target, layout, wide, share * restore.restoreVisibility, space);
  });
  step('lips', () => {
    const { restoreVisibility } = restore;
    const shares = {
      tone: restoreVisibility * Math.max(lightened, target.beard ? BEARDED_LIP_TONE : 0),
      // Lips of a black-and-white photo have no colour of their own, whatever is restored.
      colour: target.colour * (1 - source.colour),
      detail: restoreVisibility * lipDetail(lightened, unresolved),
    };
    const reach = target.beard ? Math.max(wide, layout.side / LIP_REACH) : wide;
    borrowLips(lit, target, shares, reach, layout, space);
  });
  const colour = meanColour(lit, irisTexels(layout, source.eyes));
  const eyes = step('eyes', () => {
    const shown = followGaze(lit, layout, source.eyes, withIrises(mesh, landmarks), whites, space);
    if (colour && !source.hasDoubtfulEyes) tintIrises(lit, shown, target.atlas, colour, layout, landmarks);
    return shown;
  });
  const opacity = opacityOf(target, layout, eyes, space);
  const { glasses } = source;
  if (restore.faceRestoreVisibility > 0 && facePixels >= MIN_MENDED_PX) {
    const since = performance.now();
    const faults = await findFaults(lit, target.atlas, without(opacity, uncovered.occluded, space));
    mendFace(lit, faults, restore.faceRestoreVisibility, layout.oval, space);
    timingsMs.mend = performance.now() - since;
  }
  const texture = step('texture', () => {
    const shown = beard ? bearded(lit, beard, space) : lit;
    const { grain } = matchSharpness(
      shown,
      lit,
      target,
      layout,
      image,
      face,
      restore.restoreVisibility,
      space,
    );
    const rgba = packFace(shown, opacity, layout, space);
    return { side: layout.side, rgba, grain, occluded: uncovered.occluded };
  });
  return step('composite', () => {
    const reach = beardReach(beard && beard.hides, hiddenBeard(read, space), layout);
    const [from, to] = [beardMesh(landmarks, reach), beardMesh(mesh, reach)];
    const around = read.shaved ? { ...image, data } : image;
    if (read.shaved) retractBeard(around, from, read.shaved.cover, layout);
    const swapped = compositeFace(around, layout, texture, from, to, space, data);
    if (glasses) drawGlasses(swapped, glasses, read, front, mesh, texture, layout, space);
    return swapped;
  });
}

/** Adds the target's beard, which stays or goes, to the things in front of its skin. */
function withBeard({ atlas, occluded, beard, shaved }: TargetFace, make: PlaneMaker): Float32Array {
  if (!beard && !shaved) return occluded;
  const covered = make.copyOf(occluded);
  if (beard) maxInPlace(covered, beard);
  if (shaved) keepTarget(covered, shaved.cover, atlas.side, make);
  return covered;
}

/** Adds a coarse plane to the things in front. */
function keepTarget(occluded: Float32Array, lost: Float32Array, side: number, make: PlaneMaker): void {
  const enlarged = enlargeSquare(lost, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(occluded.length));
  maxInPlace(occluded, enlarged);
}
