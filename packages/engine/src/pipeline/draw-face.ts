import { longerSide } from '../face/geometry/face.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Stencil } from '../mesh/draw/allowance.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { StillSwap } from '../mesh/still/swap-face.ts';
import type { NetworkSwapper } from '../networks/network-swapper.ts';
import { pasteCrop } from '../networks/paste-crop.ts';
import { lendSources } from './prepare-sources.ts';
import type { PhotoAnalysis } from './source-photos.ts';
import type { SwapParts } from './swap-parts.ts';

/** A face of a photo that gets the source's look. */
export type FaceToDraw = Omit<StillSwap, 'source'>;

/** The drawn face, and the share of each photo of the source in it. */
export interface DrawnFace {
  readonly image: RgbImage;
  readonly sourceShares: readonly number[];
}

/**
 * Draws the source's face over one face of a photo: by the operator's network if the request names
 * one, otherwise by the mesh. Then the operator's restorer makes it sharper, if there is one.
 * @param photos of the source @param timingsMs receives the duration of each step
 */
export async function drawFace(
  { swapper, network, restorer: sharpener }: SwapParts,
  photos: readonly PhotoAnalysis[],
  target: FaceToDraw,
  timingsMs: Record<string, number>,
): Promise<DrawnFace> {
  const { faceRestoreVisibility } = target.restore;
  const restorer = faceRestoreVisibility > 0 ? sharpener : undefined;
  const face = { ...target, landmarks: target.face.landmarks };
  const stencil = network || restorer ? swapper.stencil(face, swapper.occluders(face)) : null;
  const drawn = network
    ? await drawByNetwork(network, stencil!, photos, target, timingsMs)
    : await drawByMesh(swapper, photos, target, timingsMs);
  if (!restorer) return drawn;
  const since = performance.now();
  const crop = await restorer.restore(new ImagePyramid(drawn.image), target.face.landmarks);
  const allowance = stencil!.allowance.map((value) => value * faceRestoreVisibility);
  pasteCrop(drawn.image, crop, { ...stencil!, allowance }, 1, drawn.image.data);
  timingsMs.restorer = performance.now() - since;
  return drawn;
}

async function drawByMesh(
  swapper: MeshSwapper,
  photos: readonly PhotoAnalysis[],
  target: FaceToDraw,
  timingsMs: Record<string, number>,
): Promise<DrawnFace> {
  const { faceRestoreVisibility } = target.restore;
  const side = swapper.atlasSide(longerSide(photos[0]!.face.box), longerSide(target.face.box));
  const since = performance.now();
  const prepared = lendSources(swapper, photos, side, faceRestoreVisibility);
  timingsMs.prepareSource = performance.now() - since;
  // The swap begins at once, because a later call may release the lent source.
  const image = await swapper.swap({ ...target, source: prepared.face }, timingsMs);
  return { image, sourceShares: prepared.shares };
}

async function drawByNetwork(
  network: NetworkSwapper,
  stencil: Stencil,
  photos: readonly PhotoAnalysis[],
  { pyramid, face, data, restore }: FaceToDraw,
  timingsMs: Record<string, number>,
): Promise<DrawnFace> {
  const described = performance.now();
  const source = await network.describe(
    photos.map(({ image, face: { landmarks } }) => ({ image, landmarks })),
  );
  const began = performance.now();
  timingsMs.prepareSource = began - described;
  const crop = await network.swap(pyramid, face.landmarks, source);
  const changed = performance.now();
  timingsMs.network = changed - began;
  pasteCrop(pyramid.image, crop, stencil, restore.restoreVisibility, data);
  timingsMs.composite = performance.now() - changed;
  return { image: { ...pyramid.image, data }, sourceShares: photos.map(() => 1 / photos.length) };
}
