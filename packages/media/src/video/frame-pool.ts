import type { AVFrameSideDataType } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { NodeAv } from './backend.ts';

/**
 * Frames of our own, used again and again. A decoder may go on reading the pictures it hands out,
 * so an edit needs a copy anyway; into memory that is there already it costs a tenth of a new one,
 * and JavaScript is told of each plane once instead of once a frame (which would start its garbage
 * collector every dozen frames).
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
   * The same picture in a frame of ours; the decoder's is freed. On an error the caller has it
   * still.
   */
  takeOver(frame: Frame): Frame {
    const { FFmpegError } = this.#av;
    const own = this.#fitting(frame);
    FFmpegError.throwIfError(own.copy(frame), 'frame');
    // Captions and the like would be added to those of the picture that was here before.
    for (const type of this.#sideData) own.removeSideData(type);
    FFmpegError.throwIfError(own.copyProps(frame), 'frame');
    frame.free();
    return own;
  }

  /** Takes a frame back; any other one is freed. */
  release(frame: Frame): void {
    if (this.#ours.has(frame)) this.#idle.push(frame);
    else frame.free();
  }

  close(): void {
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
