import type { FilterContext, FilterGraph, Frame } from 'node-av/lib';
import type { NodeAv } from './node-av.ts';
import type { Orientation } from './rotation.ts';
import type { TargetSize } from './target-size.ts';

export type WorkingFormat = 'yuv420p' | 'yuva420p' | 'rgba';

export interface FilterPlan {
  orientation: Orientation;
  /** Size of the picture after it was turned upright. */
  size: TargetSize;
  format: WorkingFormat;
  hdr: boolean;
  deinterlace: boolean;
}

/**
 * Filters that tone-map HDR to SDR. SDR white is 203 nits (ITU-R BT.2408). Brighter highlights, up
 * to those of a 1,000-nit master, are compressed.
 */
const TONE_MAP_FILTERS = [
  'zscale=transfer=linear:npl=203',
  'format=gbrpf32le',
  'zscale=primaries=bt709',
  'tonemap=mobius:param=0.5:desat=0:peak=4.93',
  'zscale=transfer=bt709:matrix=bt709:range=limited',
];

/**
 * Returns the filters between decoder and swap, in FFmpeg's syntax. Returns null if the decoded
 * frame needs no filter and is passed on without a copy.
 *
 * HDR is tone-mapped because outputs have 8 bits, in which HDR shows bands and looks wrong on most
 * screens. Scaling comes before tone-mapping, because tone-mapping takes time for each pixel.
 */
export function filterChain(
  plan: FilterPlan,
  input: { width: number; height: number; format: string },
): string | null {
  const { size, orientation } = plan;
  const upright = orientation.swapsSides
    ? { width: input.height, height: input.width }
    : { width: input.width, height: input.height };
  const filters: string[] = [];
  if (plan.deinterlace) filters.push('bwdif=mode=send_frame:parity=auto:deint=interlaced');
  filters.push(...orientation.filters);
  const losesOneRow =
    upright.width - size.width <= 1 &&
    upright.height - size.height <= 1 &&
    upright.width >= size.width &&
    upright.height >= size.height;
  if (!size.scaled && losesOneRow) {
    if (upright.width !== size.width || upright.height !== size.height) {
      filters.push(`crop=${size.width}:${size.height}:0:0:exact=1`);
    }
  } else {
    filters.push(`scale=${size.width}:${size.height}`);
  }
  if (plan.hdr) filters.push(...TONE_MAP_FILTERS);
  // yuvj420p is yuv420p with full range: only the name states the range, and the bytes are the same
  // (see `settleFormat`).
  const same = input.format === plan.format || (input.format === 'yuvj420p' && plan.format === 'yuv420p');
  if (filters.length === 0 && same) return null;
  // RGB video has no colour matrix, so this filter states one.
  if (input.format.startsWith('gbr') && plan.format !== 'rgba') {
    filters.push('scale=out_color_matrix=bt709:out_range=limited');
  }
  filters.push(`format=${plan.format}`);
  // vflip only makes the row length negative. Frame views need the rows in order, so the rows are
  // copied.
  if (orientation.filters.includes('vflip')) filters.push('copy');
  return filters.join(',');
}

/** One configured filter graph. Input and output frames have the input's own time base. */
export interface FrameFilter {
  push(frame: Frame | null): Promise<void>;
  /**
   * Fills `into` with the next frame. Returns false if the graph needs more input or is drained.
   */
  pull(into: Frame): Promise<boolean>;
  close(): void;
}

interface TimeBase {
  num: number;
  den: number;
}

/**
 * Builds a filter graph.
 * @param threads number of slices of a frame that a filter may process at the same time
 */
export function buildFrameFilter(
  av: NodeAv,
  chain: string,
  first: Frame,
  timeBase: TimeBase,
  threads: number,
): FrameFilter {
  const C = av.constants;
  const graph: FilterGraph = new av.FilterGraph();
  graph.alloc();
  graph.nbThreads = threads;
  graph.scaleSwsOpts = 'flags=bicubic+accurate_rnd+full_chroma_int';
  const aspect = first.sampleAspectRatio;
  const settings = [
    `video_size=${first.width}x${first.height}`,
    `pix_fmt=${first.format}`,
    `time_base=${timeBase.num}/${timeBase.den}`,
    `pixel_aspect=${aspect.num}/${Math.max(1, aspect.den)}`,
    `colorspace=${first.colorSpace}`,
    `range=${first.colorRange}`,
  ];
  const source = mustFilter(av, graph, 'buffer', 'in', settings.join(':'));
  const sink = mustFilter(av, graph, 'buffersink', 'out', null);
  const outputs = av.FilterInOut.createList([{ name: 'in', filterCtx: source, padIdx: 0 }]);
  const inputs = av.FilterInOut.createList([{ name: 'out', filterCtx: sink, padIdx: 0 }]);
  av.FFmpegError.throwIfError(graph.parsePtr(chain, inputs, outputs), 'filter');
  av.FFmpegError.throwIfError(graph.configSync(), 'filter');
  const outBase = sink.buffersinkGetTimeBase();
  return {
    push: async (frame) => av.FFmpegError.throwIfError(await source.buffersrcAddFrame(frame), 'filter'),
    pull: async (into) => {
      const result = await sink.buffersinkGetFrame(into);
      if (result === C.AVERROR_EAGAIN || result === C.AVERROR_EOF) return false;
      av.FFmpegError.throwIfError(result, 'filter');
      // bwdif halves the time base, so times are converted back to the time base of the stream.
      into.pts = av.avRescaleQ(into.pts, outBase, timeBase);
      into.duration = av.avRescaleQ(into.duration, outBase, timeBase);
      return true;
    },
    close: () => graph.free(),
  };
}

function mustFilter(
  av: NodeAv,
  graph: FilterGraph,
  name: string,
  label: string,
  settings: string | null,
): FilterContext {
  const filter = av.Filter.getByName(name);
  const made = filter === null ? null : graph.createFilter(filter, label, settings);
  if (made === null) throw new Error(`the filter ${name} could not be set up`);
  return made;
}
