import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { Face } from '../face/geometry/face.ts';
import { findBlocks, smoothBlocks } from '../mesh/source/deblock.ts';
import type { MergedSource } from '../mesh/source/merge-sources.ts';
import type { SourceFace } from '../mesh/source/source-face.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { SourceLook } from './source-photos.ts';
import { aroundFace } from './source-photos.ts';

/**
 * The source that was lent last. Targets of a batch share it, at the atlas sizes that suit their
 * faces.
 */
let lent: LentSource | null = null;

interface LentSource {
  readonly photo: Face;
  readonly faceRestoreVisibility: number;
  readonly bySide: Map<number, SourceFace>;
  /** Memory of the atlases. */
  readonly space: Workspace;
}

/**
 * Merges all photos of a source into one, for an atlas of `side`.
 * @param faceRestoreVisibility 0..1: how strongly the blocks of heavy compression are smoothed
 */
export function prepareSources(
  swapper: MeshSwapper,
  looks: readonly SourceLook[],
  side: number,
  faceRestoreVisibility: number,
): MergedSource {
  return merge(swapper, looks, (look) => prepareSource(swapper, look, side, faceRestoreVisibility));
}

/**
 * Merges photos like `prepareSources`, for one swap that follows at once, without the copies that
 * keeping it takes. A later call with other photos releases its memory; until then the first photo
 * is kept for further targets of a batch.
 */
export function lendSources(
  swapper: MeshSwapper,
  looks: readonly SourceLook[],
  side: number,
  faceRestoreVisibility: number,
): MergedSource {
  return merge(swapper, looks, (look) => {
    const prepare = look === looks[0] ? lendSource : prepareSource;
    return prepare(swapper, look, side, faceRestoreVisibility);
  });
}

function merge(
  swapper: MeshSwapper,
  looks: readonly SourceLook[],
  prepare: (look: SourceLook) => SourceFace,
): MergedSource {
  return swapper.mergeSources(looks.map((look) => ({ face: prepare(look), trust: look.trust })));
}

function lendSource(
  swapper: MeshSwapper,
  look: SourceLook,
  side: number,
  faceRestoreVisibility: number,
): SourceFace {
  if (lent?.photo !== look.face || lent.faceRestoreVisibility !== faceRestoreVisibility) {
    lent?.space.release();
    lent = { photo: look.face, faceRestoreVisibility, bySide: new Map(), space: new Workspace() };
  }
  const { bySide, space } = lent;
  const source = bySide.get(side) ?? prepareSource(swapper, look, side, faceRestoreVisibility, space);
  bySide.set(side, source);
  return source;
}

function prepareSource(
  swapper: MeshSwapper,
  look: SourceLook,
  side: number,
  faceRestoreVisibility: number,
  lasting?: Workspace,
): SourceFace {
  const { image, face } = withoutBlocks(look, faceRestoreVisibility);
  return swapper.prepareSource(pyramidOf(image), face, side, lasting);
}

/** Returns the photo with its compression blocks smoothed, or unchanged if it shows none. */
function withoutBlocks(look: SourceLook, strength: number): Pick<SourceLook, 'image' | 'face'> {
  if (strength <= 0) return look;
  using space = new Workspace();
  const { image, face } = aroundFace(look.image, look.face, space);
  const blocks = findBlocks(image);
  return blocks === null ? look : { image: smoothBlocks(image, blocks, strength), face };
}
