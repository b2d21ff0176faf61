import type { RestoreOptions } from '@guise/contract/work.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import { evenBelow, wholePixels } from '../face/frame/video-frame.ts';
import type { FaceBox } from '../face/geometry/face.ts';
import type { HandFinder } from '../face/geometry/hand.ts';
import { translated } from '../face/geometry/landmark-transforms.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { TrackMoment } from '../mesh/video/track-swapper.ts';
import type { NetworkSwapper } from '../networks/network-swapper.ts';
import { changeOf, pasteInFrame } from '../networks/paste-crop.ts';
import type { ClipDrawer } from './clip-drawer.ts';
import type { PhotoAnalysis } from './source-photos.ts';

/** Number of frames from one look for things in front of the face to the next. */
const LOOK_FRAMES = 3;

/** A source that the operator's network draws on one person's faces in a clip. */
export class NetworkClipSource implements ClipDrawer {
  readonly shares: readonly number[];
  readonly #network: NetworkSwapper;
  readonly #swapper: MeshSwapper;
  readonly #hands: HandFinder;
  readonly #photos: readonly PhotoAnalysis[];
  readonly #restore: RestoreOptions;
  #described: Promise<Float32Array> | null = null;
  /** Things in front of the face; see `MeshSwapper.occluders`. */
  #occluders: Float32Array | null = null;
  /** Number of frames since the last look for them. */
  #sinceLook = 0;

  constructor(
    network: NetworkSwapper,
    swapper: MeshSwapper,
    hands: HandFinder,
    photos: readonly PhotoAnalysis[],
    restore: RestoreOptions,
  ) {
    this.shares = photos.map(() => 1 / photos.length);
    this.#network = network;
    this.#swapper = swapper;
    this.#hands = hands;
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
    const part = this.#partOf(frame, rect, translated(inRect, rect.x, rect.y));
    const landmarks = translated(inRect, rect.x - part.x, rect.y - part.y);
    const pyramid = new ImagePyramid(frame.rgb(part));
    const occluders = await this.#occludersOf(pyramid, landmarks, moment);
    const stencil = this.#swapper.stencil({ pyramid, landmarks }, occluders);
    for (let i = 0; i < stencil.allowance.length; i++) stencil.allowance[i]! *= moment.opacity;
    const crop = await this.#network.swap(pyramid, landmarks, source);
    const change = changeOf(pyramid.image, crop, stencil, this.#restore.restoreVisibility);
    frame.edit(part, (planes) => pasteInFrame(planes, change, stencil));
  }

  close(): void {
    this.#occluders = null;
  }

  /**
   * Looks for things in front of the face in every third frame. They move with the face between.
   */
  async #occludersOf(
    pyramid: ImagePyramid,
    landmarks: Float32Array,
    { isFresh, isStudied = false }: TrackMoment,
  ): Promise<Float32Array> {
    const before = isFresh ? null : this.#occluders;
    this.#sinceLook += 1;
    if (before && !isStudied && this.#sinceLook < LOOK_FRAMES) return before;
    this.#sinceLook = 0;
    const front = await this.#swapper.lookInFront(pyramid, landmarks);
    const hands = await this.#hands.find(pyramid, landmarks);
    this.#occluders = this.#swapper.occluders({ pyramid, landmarks, front, hands }, before);
    return this.#occluders;
  }

  /** Returns the part of the frame that shows the face and all that the network sees. */
  #partOf(frame: VideoFrame, rect: FaceBox, landmarks: Float32Array): FaceBox {
    const seen = this.#network.seenPart(landmarks);
    const x = evenBelow(Math.min(rect.x, seen.left));
    const y = evenBelow(Math.min(rect.y, seen.top));
    const right = Math.max(rect.x + rect.width, seen.right);
    const bottom = Math.max(rect.y + rect.height, seen.bottom);
    return wholePixels({ x, y, width: right - x, height: bottom - y }, frame.width, frame.height);
  }
}
