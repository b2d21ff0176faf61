import type { ClipFormat } from '@guise/contract/formats.ts';
import { MediaError } from '../media-error.ts';
import { gifFromGif } from '../gif/gif-from-gif.ts';
import { gifFromVideo } from '../gif/gif-from-video.ts';
import { type NodeAv, requireNodeAv } from '../video/node-av.ts';
import { findPart, type PartRange } from '../video/clip-part.ts';
import { readContainer } from '../video/container.ts';
import { openVideo } from '../video/demux.ts';
import { transcode } from '../video/transcode.ts';
import {
  DEFAULT_VIDEO_LIMITS,
  type ProcessOptions,
  type ProcessResult,
  type VideoLimits,
} from '../video/video-types.ts';

/**
 * Reads a clip, passes every picture to `onFrame` in order, and writes the result. Decoding,
 * editing and encoding overlap, with a few frames in memory for a clip of any length.
 *
 * - Every picture keeps the input's time stamp in the input's own ticks. Sound is copied if the
 *   container takes it (AAC in MP4 and MOV, Opus and Vorbis in WebM), else encoded.
 * - Output pictures are upright and progressive, with 8 bits. HDR is tone-mapped to SDR; alpha is
 *   kept in WebM and GIF.
 * - The output appears when it is complete and on disk; otherwise it does not appear.
 *
 * Call it in a child process, because it runs native code on untrusted bytes.
 * @throws MediaError; the signal's reason; the error of `onFrame`; an Error without node-av
 */
export async function processVideo(options: ProcessOptions): Promise<ProcessResult> {
  options.signal?.throwIfAborted();
  const limits = { ...DEFAULT_VIDEO_LIMITS, ...options.limits };
  const input = await readContainer(options.inputPath, limits.maxSizeBytes);
  const { container } = options;
  if (input === 'gif') {
    if (container !== 'gif') throw new MediaError('UNSUPPORTED', 'A GIF can only become a GIF.');
    return gifFromGif(limits, options);
  }
  const av = await requireNodeAv();
  const range = await readRange(av, input, limits, options);
  using open = await openVideo(av, options.inputPath, input, limits);
  if (container === 'gif') return await gifFromVideo(av, open, limits, options, range);
  return await transcode(av, open, container, limits, options, range);
}

/** Finds the wanted part of a video. Returns undefined if all of the video is wanted. */
export async function readRange(
  av: NodeAv,
  container: ClipFormat,
  limits: VideoLimits,
  { inputPath, part }: ProcessOptions,
): Promise<PartRange | undefined> {
  if (part === undefined) return undefined;
  using open = await openVideo(av, inputPath, container, limits);
  return findPart(av, open, part, limits);
}
