import { CLIP_FORMATS, type ClipFormat } from '@guise/contract/formats.ts';
import { MediaError } from '../media-error.ts';
import { type NodeAv, requireNodeAv } from '../video/node-av.ts';
import { readContainer } from '../video/container.ts';
import { openVideo, type OpenVideo } from '../video/demux.ts';
import { PacketWatch } from '../video/packet-watch.ts';
import {
  frameBudget,
  framesPerSecond,
  LENGTH_SLACK_SECONDS,
  toMicroseconds,
  tooLong,
  tooManyFrames,
} from '../video/measure.ts';
import { probeGif } from '../gif/probe-gif.ts';
import { DEFAULT_VIDEO_LIMITS, type VideoLimits, type VideoProbe } from '../video/video-types.ts';

/**
 * Describes a clip by its content. Every packet is read and none is decoded, so a false length in
 * the header is noticed.
 *
 * Call it in a child process (`probeVideoIsolated`), because it runs native code on untrusted
 * bytes. Only GIFs are read by our own TypeScript.
 * @throws MediaError UNSUPPORTED, UNREADABLE, NO_VIDEO, TOO_MANY_PIXELS, TOO_LONG, TOO_MANY_FRAMES
 */
export async function probeVideo(filePath: string, limits: Partial<VideoLimits> = {}): Promise<VideoProbe> {
  const all = { ...DEFAULT_VIDEO_LIMITS, ...limits };
  const container = await readContainer(filePath, all.maxSizeBytes);
  if (container === 'gif') return probeGif(filePath, all);
  const av = await requireNodeAv();
  using open = await openVideo(av, filePath, container, all);
  return describeVideo(av, open, container, all);
}

function describeVideo(av: NodeAv, open: OpenVideo, container: ClipFormat, limits: VideoLimits): VideoProbe {
  const { video, orientation } = open;
  const { width, height } = video.codecpar;
  const time = measureTime(av, open, container, limits);
  const firstSound = open.audio[0];
  return {
    container,
    contentType: CLIP_FORMATS[container].contentType,
    videoCodec: open.codec,
    width: orientation.swapsSides ? height : width,
    height: orientation.swapsSides ? width : height,
    durationSeconds: time.seconds,
    frameCount: time.frames,
    framesPerSecond: framesPerSecond(time.frames, time.seconds, limits),
    audioCodec: firstSound === undefined ? null : av.avGetCodecName(firstSound.codecpar.codecId),
    hdr: open.hdr,
    alpha: open.alpha,
    bitDepth: open.bitDepth,
    rotation: orientation.rotation,
    truncated: time.truncated,
  };
}

/**
 * How much longer than the picture the sound may be. Longer sound has no use, but
 * could keep a decoder busy.
 */
const SOUND_SLACK_SECONDS = 10;

function secondsPerTick(stream: OpenVideo['video']): number {
  return stream.timeBase.num / stream.timeBase.den;
}

/**
 * @param longest end of the track that ends last, in seconds
 * @param first start of the first picture, in seconds; infinite before it is known
 * @throws MediaError TOO_LONG
 */
function checkSound(longest: number, first: number, { maxSeconds }: VideoLimits): void {
  if (first < Infinity && longest > maxSeconds + Math.max(0, first) + SOUND_SLACK_SECONDS)
    throw tooLong(maxSeconds);
}

interface MeasuredTime {
  seconds: number;
  frames: number;
  truncated: boolean;
}

function measureTime(av: NodeAv, open: OpenVideo, container: ClipFormat, limits: VideoLimits): MeasuredTime {
  const C = av.constants;
  const secondsPerTickOf = new Map(
    [open.video, ...open.audio].map((stream) => [stream.index, secondsPerTick(stream)]),
  );
  const budget = frameBudget(limits);
  const watch = new PacketWatch(av, open);
  using packet = new av.Packet();
  packet.alloc();
  let frames = 0;
  let first = Infinity;
  let end = -Infinity;
  let last = -Infinity;
  let longest = 0;
  let sum = 0;
  while (open.format.readFrameSync(packet) >= 0) {
    const scale = secondsPerTickOf.get(packet.streamIndex);
    const stamp = packet.pts === C.AV_NOPTS_VALUE ? packet.dts : packet.pts;
    const shown = (packet.flags & C.AV_PKT_FLAG_DISCARD) === 0;
    if (scale !== undefined && stamp !== C.AV_NOPTS_VALUE && shown) {
      const start = Number(stamp) * scale;
      const stop = start + Number(packet.duration) * scale;
      if (packet.streamIndex === open.video.index && watch.see(packet)) {
        frames += 1;
        sum += Number(packet.duration);
        first = Math.min(first, start);
        end = Math.max(end, stop);
        last = Math.max(last, start);
        if (frames > budget) throw tooManyFrames(budget);
      }
      longest = Math.max(longest, stop);
      if (end - first > limits.maxSeconds + LENGTH_SLACK_SECONDS) throw tooLong(limits.maxSeconds);
      // Where the clock of a transport stream jumps, its sound may jump before its pictures.
      if (container !== 'ts') checkSound(longest, first, limits);
    }
    packet.unref();
  }
  checkSound(longest, first, limits);
  if (frames === 0) throw new MediaError('UNREADABLE', 'The video cannot be read: it holds no pictures.');
  // Matroska often omits the last picture's duration. The picture then gets the average of the
  // others.
  if (end <= last && frames > 1) end = last + (last - first) / (frames - 1);
  // MP4's durations are distances in decoding order, so with B-frames only their sum gives the end
  // of the last picture.
  const stored = sum * secondsPerTick(open.video);
  const isBmff = container === 'mp4' || container === 'mov';
  const length = isBmff ? Math.max(stored, last - first) : end - first;
  const claimed = Number(open.claimedTicks) * secondsPerTick(open.video);
  const truncated = claimed > 0 && length < claimed * 0.98 - 0.1;
  return { seconds: toMicroseconds(Math.max(0, length)), frames, truncated };
}
