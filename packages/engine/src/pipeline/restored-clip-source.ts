import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import type { FaceBox } from '../face/geometry/face.ts';
import { translated } from '../face/geometry/landmark-transforms.ts';
import type { FaceTrack } from '../face/track/face-track.ts';
import type { MeshSwapper } from '../mesh/swapper.ts';
import type { TrackMoment } from '../mesh/video/track-swapper.ts';
import type { NetworkRestorer } from '../networks/network-restorer.ts';
import { changeOf, pasteInFrame } from '../networks/paste-crop.ts';
import type { ClipDrawer } from './clip-drawer.ts';
import { type ClipOccluders, partOfFrame } from './clip-occluders.ts';

/** A drawn source whose faces the operator's restorer makes sharper, frame by frame. */
export class RestoredClipSource implements ClipDrawer {
  readonly #drawn: ClipDrawer;
  readonly #restorer: NetworkRestorer;
  readonly #swapper: MeshSwapper;
  readonly #occluders: ClipOccluders;
  readonly #visibility: number;

  /** @param visibility share of the restored face in the result, 0..1 */
  constructor(
    drawn: ClipDrawer,
    restorer: NetworkRestorer,
    swapper: MeshSwapper,
    occluders: ClipOccluders,
    visibility: number,
  ) {
    this.#drawn = drawn;
    this.#restorer = restorer;
    this.#swapper = swapper;
    this.#occluders = occluders;
    this.#visibility = visibility;
  }

  get shares(): readonly number[] {
    return this.#drawn.shares;
  }

  suits(tracks: readonly FaceTrack[]): boolean {
    return this.#drawn.suits(tracks);
  }

  async draw(frame: VideoFrame, rect: FaceBox, inRect: Float32Array, moment: TrackMoment): Promise<void> {
    if (moment.opacity <= 0) return;
    const part = partOfFrame(frame, rect, this.#restorer.seenPart(translated(inRect, rect.x, rect.y)));
    const landmarks = translated(inRect, rect.x - part.x, rect.y - part.y);
    // What lies in front is looked for before the face is drawn.
    const before = new ImagePyramid(frame.rgb(part));
    const occluders = await this.#occluders.in(frame, before, landmarks, moment);
    await this.#drawn.draw(frame, rect, inRect, moment);
    const pyramid = new ImagePyramid(frame.rgb(part));
    const stencil = this.#swapper.stencil({ pyramid, landmarks }, occluders);
    const share = this.#visibility * moment.opacity;
    for (let i = 0; i < stencil.allowance.length; i++) stencil.allowance[i]! *= share;
    const crop = await this.#restorer.restore(pyramid, landmarks);
    const change = changeOf(pyramid.image, crop, stencil, 1);
    frame.edit(part, (planes) => pasteInFrame(planes, change, stencil));
  }

  close(): void {
    this.#drawn.close();
    this.#occluders.clear();
  }
}
