import type { AVFrameSideDataType } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { NodeAv } from './node-av.ts';

/**
 * Frames of our own that are reused. A decoder may still read the pictures that it has returned, so
 * an edit needs a copy. Reused memory makes that copy ten times as cheap.
 *
 * With reuse, JavaScript also creates objects for each plane once instead of once a frame, which
 * would run its garbage collector every dozen frames.
 */
export class FramePool {
  readonly #av: NodeAv;
  readonly #sideData: readonly AVFrameSideDataType[];
  readonly #idle: Frame[] = [];
  readonly #ours = new Set<Frame>();

  constructor(av: NodeAv) {
    this.#av = av;
    this.#sideData = Object.entries(av.constants)
      .filter(([name]) => name.startsWith('AV_FRAME_DATA_'))
      .map(([, type]) => type as AVFrameSideDataType);
  }

  /**
   * Copies a picture into a frame of ours and frees the decoder's frame. On an error the caller
   * still owns the decoder's frame.
   */
  takeOver(frame: Frame): Frame {
    const { FFmpegError } = this.#av;
    const own = this.#fitting(frame);
    FFmpegError.throwIfError(own.copy(frame), 'frame');
    // Removes side data such as captions first, because the new side data would be added to the
    // old.
    for (const type of this.#sideData) own.removeSideData(type);
    FFmpegError.throwIfError(own.copyProps(frame), 'frame');
    frame.free();
    return own;
  }

  /** Takes a frame of ours back, and frees any other frame. */
  release(frame: Frame): void {
    if (this.#ours.has(frame)) this.#idle.push(frame);
    else frame.free();
  }

  [Symbol.dispose](): void {
    for (const frame of this.#ours) frame.free();
    this.#ours.clear();
    this.#idle.length = 0;
  }

  #fitting({ width, height, format }: Frame): Frame {
    const idle = this.#idle.pop();
    if (idle?.width === width && idle.height === height && idle.format === format) return idle;
    if (idle !== undefined) {
      this.#ours.delete(idle);
      idle.free();
    }
    const frame = new this.#av.Frame();
    frame.alloc();
    frame.width = width;
    frame.height = height;
    frame.format = format;
    this.#ours.add(frame);
    this.#av.FFmpegError.throwIfError(frame.getBuffer(), 'frame');
    return frame;
  }
}
