import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { type Face, longerSide } from '../face/geometry/face.ts';
import { scaled } from '../face/geometry/landmark-transforms.ts';
import { findBlocks, smoothBlocks } from '../mesh/source/deblock.ts';
import { magnifyTwice } from '../mesh/source/magnify.ts';
import type { MergedSource } from '../mesh/source/merge-sources.ts';
import type { SourceFace } from '../mesh/source/source-face.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import { pixelTexels } from '../mesh/uv/atlas-layout.ts';
import type { PhotoAnalysis } from './source-photos.ts';
import { aroundFace } from './source-photos.ts';

/** Size of a photo's pixels in the atlas, texels, from which the photo is magnified first. */
const MIN_MAGNIFIED_TEXELS = 1.5;

/** Last result of `keepSources` for each source's photos. */
const kept = new WeakMap<readonly PhotoAnalysis[], KeptSource>();

interface KeptSource {
  readonly merged: MergedSource;
  readonly faceRestoreVisibility: number;
}

/** The last lent source. Targets of a batch share it, at the atlas sizes that suit their faces. */
let lent: LentSource | null = null;

interface LentSource {
  readonly face: Face;
  readonly faceRestoreVisibility: number;
  readonly bySide: Map<number, SourceFace>;
  /** Memory of the atlases. */
  readonly space: Workspace;
}

/**
 * Merges all photos of a source into one source, for an atlas of `side`.
 * @param faceRestoreVisibility 0..1: how strongly the blocks of heavy compression are smoothed
 */
export function prepareSources(
  swapper: MeshSwapper,
  photos: readonly PhotoAnalysis[],
  side: number,
  faceRestoreVisibility: number,
): MergedSource {
  return merge(swapper, photos, (photo) => prepareSource(swapper, photo, side, faceRestoreVisibility));
}

/**
 * Merges photos like `prepareSources`, and keeps the result as long as the photos, because the
 * segments of a film that one engine draws share it.
 */
export function keepSources(
  swapper: MeshSwapper,
  photos: readonly PhotoAnalysis[],
  side: number,
  faceRestoreVisibility: number,
): MergedSource {
  const before = kept.get(photos);
  if (before?.merged.face.atlas.side === side && before.faceRestoreVisibility === faceRestoreVisibility)
    return before.merged;
  const merged = prepareSources(swapper, photos, side, faceRestoreVisibility);
  kept.set(photos, { merged, faceRestoreVisibility });
  return merged;
}

/**
 * Merges photos like `prepareSources`, for one swap that follows at once, without the copies that a
 * kept result needs. A later call with other photos releases its memory. Until then the first photo
 * is kept for further targets of a batch.
 */
export function lendSources(
  swapper: MeshSwapper,
  photos: readonly PhotoAnalysis[],
  side: number,
  faceRestoreVisibility: number,
): MergedSource {
  return merge(swapper, photos, (photo) => {
    const prepare = photo === photos[0] ? lendSource : prepareSource;
    return prepare(swapper, photo, side, faceRestoreVisibility);
  });
}

function merge(
  swapper: MeshSwapper,
  photos: readonly PhotoAnalysis[],
  prepare: (photo: PhotoAnalysis) => SourceFace,
): MergedSource {
  return swapper.mergeSources(photos.map((photo) => ({ face: prepare(photo), trust: photo.trust })));
}

function lendSource(
  swapper: MeshSwapper,
  photo: PhotoAnalysis,
  side: number,
  faceRestoreVisibility: number,
): SourceFace {
  if (lent?.face !== photo.face || lent.faceRestoreVisibility !== faceRestoreVisibility) {
    lent?.space.release();
    lent = { face: photo.face, faceRestoreVisibility, bySide: new Map(), space: new Workspace() };
  }
  const { bySide, space } = lent;
  const source = bySide.get(side) ?? prepareSource(swapper, photo, side, faceRestoreVisibility, space);
  bySide.set(side, source);
  return source;
}

function prepareSource(
  swapper: MeshSwapper,
  photo: PhotoAnalysis,
  side: number,
  faceRestoreVisibility: number,
  lasting?: Workspace,
): SourceFace {
  const clean = withoutBlocks(photo, faceRestoreVisibility);
  const facePixels = longerSide(photo.face.box);
  if (pixelTexels(side, facePixels) < MIN_MAGNIFIED_TEXELS)
    return swapper.prepareSource(pyramidOf(clean.image), clean.face, clean.front, side, lasting);
  using space = new Workspace();
  const { image, face, front } = aroundFace(clean, space);
  const magnified = { ...face, landmarks: scaled(face.landmarks, 2) };
  return swapper.prepareSource(pyramidOf(magnifyTwice(image)), magnified, front, side, lasting);
}

/** Returns the photo with its compression blocks smoothed, or unchanged if it shows none. */
function withoutBlocks(photo: PhotoAnalysis, strength: number): Omit<PhotoAnalysis, 'trust'> {
  if (strength <= 0) return photo;
  using space = new Workspace();
  const around = aroundFace(photo, space);
  const blocks = findBlocks(around.image);
  return blocks === null ? photo : { ...around, image: smoothBlocks(around.image, blocks, strength) };
}
