import { createHash } from 'node:crypto';
import type { TriedHardware, VideoHardware } from '@guise/contract/video-hardware.ts';
import { type NodeAv, requireNodeAv } from './node-av.ts';
import { openVideoEncoder } from './video-encoder.ts';

/** Side of the pictures of a trial, pixels. */
const TRIAL_SIDE = 256;
/** Number of pictures of a trial. */
const TRIAL_FRAMES = 12;

/** Encodes some pictures with each hardware. Call it in a process that may crash. */
export async function tryVideoHardware(wanted: readonly VideoHardware[]): Promise<TriedHardware[]> {
  const av = await requireNodeAv();
  const tried: TriedHardware[] = [];
  for (const hardware of wanted) {
    try {
      tried.push({ hardware, header: await encodeTrial(av, hardware) });
    } catch (error) {
      tried.push({ hardware, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return tried;
}

/** @returns the hash of the header @throws Error if fewer pictures come back, or no header */
async function encodeTrial(av: NodeAv, hardware: VideoHardware): Promise<string> {
  using frame = new av.Frame();
  frame.alloc();
  frame.width = TRIAL_SIDE;
  frame.height = TRIAL_SIDE;
  frame.format = av.constants.AV_PIX_FMT_YUV420P;
  av.FFmpegError.throwIfError(frame.getBuffer(), 'frame');
  for (const plane of frame.data!) plane.fill(128);
  const plan = { container: 'mp4', timeBase: { num: 1, den: 25 }, framesPerSecond: 25, hardware } as const;
  const encoder = await openVideoEncoder(av, plan, frame);
  try {
    let packets = 0;
    const count = (): void => void (packets += 1);
    for (let k = 0; k < TRIAL_FRAMES; k++) {
      frame.pts = BigInt(k);
      frame.duration = 1n;
      await encoder.encode(frame, count);
    }
    await encoder.encode(null, count);
    if (packets !== TRIAL_FRAMES) throw new Error(`of ${TRIAL_FRAMES} pictures it encoded ${packets}.`);
    const header = encoder.context.extraData;
    if (header === null || header.length === 0) throw new Error('it writes no header for an MP4.');
    return createHash('sha256').update(header).digest('hex').slice(0, 16);
  } finally {
    encoder.close();
  }
}
