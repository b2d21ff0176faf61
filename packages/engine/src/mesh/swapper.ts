import type { RgbImage } from '@guise/kernels/image.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Workspace } from '@guise/kernels/workspace.ts';
import type { CanonicalFace } from '../face/geometry/canonical-face.ts';
import type { Face } from '../face/geometry/face.ts';
import type { HandFinder } from '../face/geometry/hand.ts';
import type { Network } from '../models/open-size-model.ts';
import { type Evidence, withEvidence } from './front/evidence.ts';
import { type Front, FRONT_SIDE, type LookInFront } from './front/front.ts';
import { lookInFront } from './front/look-in-front.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import { REVIEW_SIDE, reviewFace, reviewTarget } from './review/review-face.ts';
import { createShapeModel } from './shape/shape-model.ts';
import { detailedAtlas } from './source/detailed-atlas.ts';
import type { MergedSource } from './source/merge-sources.ts';
import { mergeSources } from './source/merge-sources.ts';
import type { TargetSide } from './source/mirror-source.ts';
import { mirrorGain, mirrorSource } from './source/mirror-source.ts';
import type { SourcePhoto } from './source/photo-worth.ts';
import type { SourceFace } from './source/source-face.ts';
import { prepareSourceFace } from './source/source-face.ts';
import type { FindFaults } from './mend/mend-face.ts';
import type { StillSwap } from './still/swap-face.ts';
import type { Stencil } from './draw/allowance.ts';
import { type FaceToStencil, occludersOf, stencilOf } from './still/stencil.ts';
import { swapFace } from './still/swap-face.ts';
import { FACE_SHARE, COARSE_SIDE } from './uv/atlas-layout.ts';
import { createAtlasLayouts } from './uv/atlas-layouts.ts';
import { atlasOutline } from './uv/atlas-outline.ts';
import type { KnownFace } from './video/shape.ts';
import { TrackSwapper } from './video/track-swapper.ts';

/** The built-in swapper, which puts texture and proportions of one face on another by a mesh. */
export interface MeshSwapper {
  /**
   * Returns the side of the atlas for a source and a target face of these sizes (longer sides of
   * their boxes, pixels).
   */
  atlasSide(sourcePixels: number, targetPixels: number): number;
  /** @param lasting workspace for its atlas, in the kernels' memory; default: ordinary memory */
  prepareSource(
    pyramid: ImagePyramid,
    face: Face,
    front: Front,
    side: number,
    lasting?: Workspace,
  ): SourceFace;
  /** Finds the things in front of a face, and the face behind them. */
  readonly lookInFront: LookInFront;
  /** Returns a swapper that also believes another network about what hides a face. */
  alsoSeeing(seeHidden: (pyramid: ImagePyramid, landmarks: Float32Array) => Promise<Evidence>): MeshSwapper;
  /** Combines several photos of one person, all prepared at the same side, into one source. */
  mergeSources(photos: readonly SourcePhoto[]): MergedSource;
  /** Puts the source, or its mirror image, on one face of a video, frame by frame. */
  follow(
    source: SourceFace,
    isMirrored: boolean,
    known: KnownFace,
    restore: RestoreOptions,
    handFinder: HandFinder,
  ): TrackSwapper;
  /** Returns how much better the source's mirror image suits these faces: above 1, it is better. */
  mirrorGain(source: Pick<SourceFace, 'seen' | 'light'>, target: TargetSide): number;
  /** Lists the traits that may harm a swap with this face. */
  review(pyramid: ImagePyramid, face: Face, front: Front): ReturnType<typeof reviewFace>;
  /** Lists, like `review`, the traits of a target that matter, but faster. */
  reviewTarget(pyramid: ImagePyramid, face: Face, front: Front): ReturnType<typeof reviewTarget>;
  /** Finds the things in front of a face; see `occludersOf`. */
  occluders(face: FaceToStencil, before?: Float32Array | null): Float32Array;
  /** Finds which pixels of a picture another swapper may change; see `stencilOf`. */
  stencil(face: Pick<FaceToStencil, 'pyramid' | 'landmarks'>, occluders: Float32Array): Stencil;
  /** Replaces one face of a photo. @param timingsMs receives the duration of each step */
  swap(request: StillSwap, timingsMs: Record<string, number>): Promise<RgbImage>;
}

/** Side of the atlas for most faces, texels. */
const USUAL_SIDE = 512;
/** Side of the atlas for large faces, texels. */
const LARGEST_SIDE = 1024;
/** Size of both faces from which a larger atlas shows more, for four times the work. */
const LARGE_FACE_PX = 760;
/**
 * Smallest scale from atlas to face. At a smaller scale bilinear sampling would alias, and half the
 * side is enough.
 */
const MIN_FACE_SCALE = 0.7;

/**
 * @param inFront network that finds things in front of faces
 * @param findFaults finds faults of swapped faces
 */
export function createMeshSwapper(
  canonical: CanonicalFace,
  inFront: Network,
  findFaults: FindFaults,
): MeshSwapper {
  const layouts = createAtlasLayouts(canonical);
  const shapes = createShapeModel(canonical, atlasOutline(canonical, USUAL_SIDE));
  const lookingBy = (look: LookInFront): MeshSwapper => ({
    alsoSeeing: (seeHidden) =>
      lookingBy(async (pyramid, landmarks) => {
        const front = await look(pyramid, landmarks);
        return withEvidence(front, layouts(FRONT_SIDE), landmarks, await seeHidden(pyramid, landmarks));
      }),
    atlasSide(sourcePixels, targetPixels) {
      if (Math.min(sourcePixels, targetPixels) >= LARGE_FACE_PX) return LARGEST_SIDE;
      let side = USUAL_SIDE;
      while (side > COARSE_SIDE && targetPixels <= side * FACE_SHARE * MIN_FACE_SCALE) side >>= 1;
      return side;
    },
    prepareSource: (pyramid, face, front, side, lasting) =>
      prepareSourceFace(layouts(side), pyramid, face, front, lasting),
    lookInFront: look,
    mergeSources: (photos) => mergeSources(canonical, layouts(photos[0]!.face.atlas.side), photos),
    follow(given, isMirrored, known, restore, handFinder) {
      const source = isMirrored ? mirrorSource(given, layouts(COARSE_SIDE)) : given;
      const layout = layouts(source.atlas.side);
      const detailed = detailedAtlas(source, layout, restore.faceRestoreVisibility);
      const parts = { layout, shapes, canonical, handFinder, lookInFront: look };
      return new TrackSwapper(parts, source, detailed.luma, known, restore.restoreVisibility);
    },
    mirrorGain: (source, target) => mirrorGain(source, target, layouts(COARSE_SIDE)),
    review: (pyramid, face, front) => reviewFace(layouts(REVIEW_SIDE), pyramid, face, front),
    reviewTarget: (pyramid, face, front) => reviewTarget(layouts(REVIEW_SIDE), pyramid, face, front),
    occluders: (face, before) => occludersOf(layouts(USUAL_SIDE), face, before),
    stencil: (face, occluders) => stencilOf(layouts(USUAL_SIDE), face, occluders),
    swap: (request, timingsMs) =>
      swapFace(layouts(request.source.atlas.side), shapes, findFaults, request, timingsMs),
  });
  return lookingBy((pyramid, landmarks) => lookInFront(inFront, layouts(FRONT_SIDE), pyramid, landmarks));
}
