import { MediaError } from '../media-error.ts';
import { type NodeAv, requireNodeAv } from '../video/node-av.ts';
import { readContainer } from '../video/container.ts';
import { openVideo, type OpenVideo } from '../video/demux.ts';
import { DEFAULT_VIDEO_LIMITS, type VideoLimits } from '../video/video-types.ts';

/** An open film, which closes when it is disposed of. */
export interface OpenFilm extends Disposable {
  readonly av: NodeAv;
  readonly open: OpenVideo;
  readonly limits: VideoLimits;
}

/**
 * Opens a film for reading. Call it in a child process, because it runs native code on untrusted
 * bytes.
 * @throws MediaError as `openVideo`, UNSUPPORTED for a GIF; an Error without node-av
 */
export async function openFilm(filePath: string, wanted: Partial<VideoLimits> = {}): Promise<OpenFilm> {
  const limits = { ...DEFAULT_VIDEO_LIMITS, ...wanted };
  const container = await readContainer(filePath, limits.maxSizeBytes);
  if (container === 'gif') throw new MediaError('UNSUPPORTED', 'A GIF is not cut into segments.');
  const av = await requireNodeAv();
  const open = await openVideo(av, filePath, container, limits);
  return { av, open, limits, [Symbol.dispose]: () => open[Symbol.dispose]() };
}
