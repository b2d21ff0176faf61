import type { RestoreOptions } from '@guise/contract/work.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import type { FaceBox } from '../face/geometry/face.ts';
import { translated } from '../face/geometry/landmark-transforms.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { TrackMoment } from '../mesh/video/track-swapper.ts';
import type { NetworkSwapper } from '../networks/network-swapper.ts';
import { changeOf, pasteInFrame } from '../networks/paste-crop.ts';
import type { ClipDrawer } from './clip-drawer.ts';
import { type ClipOccluders, partOfFrame } from './clip-occluders.ts';
import type { PhotoAnalysis } from './source-photos.ts';

/** A source that the operator's network draws on one person's faces in a clip. */
export class NetworkClipSource implements ClipDrawer {
  readonly shares: readonly number[];
  readonly #network: NetworkSwapper;
  readonly #swapper: MeshSwapper;
  readonly #occluders: ClipOccluders;
  readonly #photos: readonly PhotoAnalysis[];
  readonly #restore: RestoreOptions;
  #described: Promise<Float32Array> | null = null;

  constructor(
    network: NetworkSwapper,
    swapper: MeshSwapper,
    occluders: ClipOccluders,
    photos: readonly PhotoAnalysis[],
    restore: RestoreOptions,
  ) {
    this.shares = photos.map(() => 1 / photos.length);
    this.#network = network;
    this.#swapper = swapper;
    this.#occluders = occluders;
    this.#photos = photos;
    this.#restore = restore;
  }

  /** The network takes faces of every size and pose. */
  suits(): boolean {
    return true;
  }

  async draw(frame: VideoFrame, rect: FaceBox, inRect: Float32Array, moment: TrackMoment): Promise<void> {
    if (moment.opacity <= 0) return;
    this.#described ??= this.#network.describe(
      this.#photos.map(({ image, face: { landmarks } }) => ({ image, landmarks })),
    );
    const source = await this.#described;
    const seen = this.#network.seenPart(translated(inRect, rect.x, rect.y));
    const part = partOfFrame(frame, rect, seen);
    const landmarks = translated(inRect, rect.x - part.x, rect.y - part.y);
    const pyramid = new ImagePyramid(frame.rgb(part));
    const occluders = await this.#occluders.in(frame, pyramid, landmarks, moment);
    const stencil = this.#swapper.stencil({ pyramid, landmarks }, occluders);
    for (let i = 0; i < stencil.allowance.length; i++) stencil.allowance[i]! *= moment.opacity;
    const crop = await this.#network.swap(pyramid, landmarks, source);
    const change = changeOf(pyramid.image, crop, stencil, this.#restore.restoreVisibility);
    frame.edit(part, (planes) => pasteInFrame(planes, change, stencil));
  }

  close(): void {
    this.#occluders.clear();
  }
}
