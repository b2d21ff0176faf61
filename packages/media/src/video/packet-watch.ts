import type { Packet } from 'node-av/lib';
import { MediaError } from '../media-error.ts';
import type { NodeAv } from './node-av.ts';
import type { OpenVideo } from './demux.ts';
import { isWholeKeyFrame } from './h264-entry.ts';
import { canWrite } from '@guise/contract/formats.ts';

/** Longest time that a transport stream's clock may go back, as damage makes single packets do. */
const MAX_BACK_SECONDS = 1;
/** Longest time that a transport stream's clock may advance between two pictures. */
const MAX_GAP_SECONDS = 10;

/**
 * Checks the clock of a transport stream, which restarts where recordings were joined.
 * @param before decoding time of the packet before, in seconds; null for the first
 * @throws MediaError UNREADABLE
 */
function checkClock(before: number | null, now: number): void {
  if (before === null || (now >= before - MAX_BACK_SECONDS && now <= before + MAX_GAP_SECONDS)) return;
  throw new MediaError(
    'UNREADABLE',
    'The video cannot be read: its clock jumps, as in recordings that were put together.',
  );
}

/**
 * Watches the packets of the pictures, which tell more about a transport stream than its header.
 */
export class PacketWatch {
  readonly #av: NodeAv;
  readonly #isStream: boolean;
  readonly #looksInside: boolean;
  readonly #tick: number;
  #before: number | null = null;
  #firstKey: bigint | null = null;

  constructor(av: NodeAv, { container, codec, video }: Pick<OpenVideo, 'container' | 'codec' | 'video'>) {
    this.#av = av;
    this.#isStream = container === 'ts';
    // Recorders mark more key frames than can be decoded from. Phones and editors, which write MP4,
    // do not.
    this.#looksInside = codec === 'h264' && !canWrite(container);
    this.#tick = video.timeBase.num / video.timeBase.den;
  }

  /** Returns whether decoding can begin with a packet. */
  isKey(packet: Packet): boolean {
    if (!packet.isKeyframe || !this.#looksInside) return packet.isKeyframe;
    return isWholeKeyFrame(packet.data ?? Buffer.alloc(0));
  }

  /**
   * Looks at the next packet.
   * @returns whether it can be decoded, because a recording may begin in the middle of a group of
   * pictures
   * @throws MediaError UNREADABLE if the clock jumps
   */
  see(packet: Packet): boolean {
    if (!this.#isStream) return true;
    const none = this.#av.constants.AV_NOPTS_VALUE;
    const { pts, dts } = packet;
    if (dts !== none) {
      const now = Number(dts) * this.#tick;
      checkClock(this.#before, now);
      this.#before = now;
    }
    const stamp = pts === none ? dts : pts;
    if (this.#firstKey === null && packet.isKeyframe) this.#firstKey = stamp;
    return this.#firstKey !== null && stamp >= this.#firstKey;
  }
}
