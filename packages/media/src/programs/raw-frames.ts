import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { MediaError } from '../media-error.ts';
import { childEnvironment } from '../isolation/child-environment.ts';
import { frameBudget, LENGTH_SLACK_SECONDS, tooLong, tooManyFrames } from '../video/measure.ts';
import type { TargetSize } from '../video/target-size.ts';
import type { SourceContainer, VideoLimits } from '../video/video-types.ts';
import { hdrOf, inputArguments, type ProbedStream } from './probe-programs.ts';

export interface RawFrame {
  data: Buffer;
  /** Time on the input's time line; of a part, since its start. */
  seconds: number;
  /** Time of the clip's first picture on the input's time line; of a part only. */
  origin?: number;
}

export interface RawPlan {
  inputPath: string;
  container: SourceContainer;
  video: ProbedStream;
  size: TargetSize;
  format: 'yuv420p' | 'rgba';
  limits: VideoLimits;
  signal: AbortSignal | undefined;
}

/**
 * Yields upright pictures from an `ffmpeg` process, each with its time.
 * @throws MediaError; the signal's reason
 */
export async function* rawFrames(plan: RawPlan): AsyncGenerator<RawFrame, void, undefined> {
  const { width, height } = plan.size;
  const bytes =
    plan.format === 'rgba'
      ? width * height * 4
      : width * height + 2 * ((width + 1) >> 1) * ((height + 1) >> 1);
  const child = spawn('ffmpeg', decodeArguments(plan), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment(),
  });
  const closed = once(child, 'close');
  closed.catch(() => {});
  const onAbort = () => child.kill('SIGKILL');
  plan.signal?.addEventListener('abort', onAbort, { once: true });
  const clock = new ShowInfoClock();
  child.stderr.on('data', (chunk: Buffer) => clock.read(chunk.toString('latin1')));
  child.stderr.on('close', () => clock.end());
  const budget = frameBudget(plan.limits);
  let frame = Buffer.allocUnsafeSlow(bytes);
  let filled = 0;
  let count = 0;
  let first: number | null = null;
  try {
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      for (let at = 0; at < piece.length;) {
        const part = Math.min(bytes - filled, piece.length - at);
        piece.copy(frame, filled, at, at + part);
        filled += part;
        at += part;
        if (filled < bytes) continue;
        const seconds = await clock.time(count);
        if (seconds === null) throw new MediaError('DAMAGED', 'The video is damaged and cannot be decoded.');
        first ??= seconds;
        count += 1;
        if (seconds - first > plan.limits.maxSeconds + LENGTH_SLACK_SECONDS)
          throw tooLong(plan.limits.maxSeconds);
        if (count > budget) throw tooManyFrames(budget);
        yield { data: frame, seconds };
        frame = Buffer.allocUnsafeSlow(bytes);
        filled = 0;
      }
    }
    plan.signal?.throwIfAborted();
    if (count === 0) throw new MediaError('DAMAGED', 'The video is damaged: no picture could be decoded.');
  } finally {
    plan.signal?.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
    await closed;
  }
}

function decodeArguments(plan: RawPlan): string[] {
  const filters: string[] = [];
  if (!['progressive', 'unknown', undefined].includes(plan.video.field_order)) {
    filters.push('bwdif=mode=send_frame:parity=auto:deint=interlaced');
  }
  const { width, height, scaled } = plan.size;
  filters.push(scaled ? `scale=${width}:${height}` : `crop=${width}:${height}:0:0:exact=1`);
  if (hdrOf(plan.video) !== null && hasToneMapping()) {
    filters.push('zscale=transfer=linear:npl=203', 'format=gbrpf32le', 'zscale=primaries=bt709');
    filters.push('tonemap=mobius:param=0.5:desat=0:peak=4.93');
    filters.push('zscale=transfer=bt709:matrix=bt709:range=limited');
  }
  filters.push(`format=${plan.format}`, 'showinfo=checksum=0');
  return [
    '-v',
    'info',
    '-nostdin',
    '-nostats',
    '-hide_banner',
    '-max_pixels',
    String(plan.limits.maxPixels),
    '-copyts',
    // Pictures in an AVI have no time stamps; their order of decoding tells when they are shown.
    ...(plan.container === 'avi' && (plan.video.has_b_frames ?? 0) > 0 ? ['-fflags', '+genpts'] : []),
    ...inputArguments(plan.inputPath, plan.container),
    '-map',
    `0:${plan.video.index}`,
    '-vf',
    filters.join(','),
    '-sws_flags',
    'bicubic+accurate_rnd+full_chroma_int',
    '-fps_mode',
    'passthrough',
    '-f',
    'rawvideo',
    '-pix_fmt',
    plan.format,
    'pipe:1',
  ];
}

let toneMapping: boolean | undefined;

/**
 * Says whether this `ffmpeg` has the filters for tone mapping. Many builds lack them, and HDR then
 * comes out flat.
 */
function hasToneMapping(): boolean {
  if (toneMapping === undefined) {
    const filters =
      spawnSync('ffmpeg', ['-v', 'quiet', '-filters'], { encoding: 'latin1', timeout: 5000 }).stdout ?? '';
    toneMapping = /\bzscale\b/.test(filters) && /\btonemap\b/.test(filters);
  }
  return toneMapping;
}

/**
 * Reads each picture's time from what the `showinfo` filter writes to stderr, in the order of the
 * pictures.
 */
class ShowInfoClock {
  readonly #times: number[] = [];
  #timeBase = 0;
  #rest = '';
  #ended = false;
  #wake: (() => void) | null = null;

  read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    // Only an endless log has a line without an end; the last part is enough for a time stamp.
    this.#rest = (lines.pop() ?? '').slice(-4096);
    for (const line of lines) {
      const base = /config in time_base: (\d+)\/(\d+)/.exec(line);
      if (base !== null) this.#timeBase = Number(base[1]) / Number(base[2]);
      const stamp = /showinfo.* n: *\d+ pts: *(-?\d+) /.exec(line);
      if (stamp !== null) this.#times.push(Number(stamp[1]) * this.#timeBase);
    }
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Returns the time of a picture; null if the program ended before it wrote one. */
  async time(index: number): Promise<number | null> {
    while (this.#times[index] === undefined && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#times[index] ?? null;
  }
}
