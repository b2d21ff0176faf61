import { CLIP_FORMATS, type VideoFormat } from '@guise/contract/formats.ts';
import { rename, rm, stat } from 'node:fs/promises';
import type { Packet } from 'node-av/lib';
import { MediaError } from '../media-error.ts';
import type { NodeAv } from '../video/node-av.ts';
import { frameBudget, toMicroseconds } from '../video/measure.ts';
import { OutputFile } from '../video/output-file.ts';
import { openSound, type SoundPart, soundPartOf, type SoundTrack } from '../video/sound.ts';
import { syncFile } from '../video/sync-file.ts';
import { type ProcessResult, type VideoLimits } from '../video/video-types.ts';
import type { FilmCut } from './cut-film.ts';
import { type FilmEncoding, nameOfEncoder, openFilmEncoder } from './film-encoder.ts';
import { type OpenFilm, openFilm } from './open-film.ts';
import { PacketReader, type StoredPacket } from './packet-file.ts';

/** What to join. */
export interface JoinOptions extends FilmEncoding {
  /** The film, for its sound. */
  readonly inputPath: string;
  /** Packets of all segments, in order; see `drawFrames`. */
  readonly segmentPaths: readonly string[];
  readonly outputPath: string;
  readonly cut: FilmCut;
  readonly limits?: Partial<VideoLimits>;
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Joins the packets of a film's segments into one file, with the film's sound copied or encoded
 * once. The output appears when it is complete and on disk; otherwise it does not appear.
 *
 * Call it in a child process, because it runs native code on untrusted bytes.
 * @throws MediaError DAMAGED; the signal's reason; an Error for segments that do not fit together
 */
export async function joinFilm(options: JoinOptions): Promise<Omit<ProcessResult, 'damagedFrames'>> {
  const part = `${options.outputPath}.part`;
  using film = await openFilm(options.inputPath, options.limits);
  try {
    const result = await join(film, options, part);
    await syncFile(part);
    const { size } = await stat(part);
    await rename(part, options.outputPath);
    return { ...result, sizeBytes: size };
  } catch (error) {
    await rm(part, { force: true });
    const { FFmpegError } = film.av;
    // The file is to blame for time stamps or sound headers that no muxer accepts, but not for a
    // full disk.
    if (error instanceof FFmpegError && (error.isEINVAL || error.isInvalidData)) {
      throw new MediaError('DAMAGED', 'The video is damaged and cannot be rewritten.', { cause: error });
    }
    throw error;
  }
}

async function join(
  film: OpenFilm,
  options: JoinOptions,
  part: string,
): Promise<Omit<ProcessResult, 'damagedFrames' | 'sizeBytes'>> {
  const { av, open, limits } = film;
  const { container, shape, segmentPaths, cut, signal, onProgress } = options;
  const { video } = open;
  video.discard = av.constants.AVDISCARD_ALL;
  await using readers = new Readers();
  for (const filePath of segmentPaths)
    readers.all.push(await PacketReader.open(filePath, frameBudget(limits)));
  const packets = readers.all.flatMap((reader) => reader.packets);
  const decodingTicks = decodingTimes(packets);
  const encoder = await openFilmEncoder(av, open, options);
  const output = new OutputFile(av, part, container, open.startMicros);
  const sounds = new SoundReader(film, container, output, soundOf(cut));
  const packet = new av.Packet();
  packet.alloc();
  try {
    const name = nameOfEncoder(encoder);
    if (readers.all.some((reader) => reader.packets.length > 0 && reader.encoder !== name))
      throw new Error('The segments were not encoded alike.');
    output.addVideo(encoder.context);
    await sounds.begin();
    await output.begin(video.timeBase.num === 1 ? video.timeBase.den : null);
    const origin = BigInt(cut.originTick);
    const writtenOrigin = BigInt(cut.part?.filmOriginTick ?? cut.originTick);
    const secondsPerTick = cut.timeBase.num / cut.timeBase.den;
    let index = 0;
    for (const reader of readers.all) {
      for (let next = await reader.read(); next !== null; next = await reader.read()) {
        signal?.throwIfAborted();
        const decodingTick = decodingTicks[index]!;
        fill(av, packet, next, writtenOrigin, decodingTick);
        output.write(packet, output.addedVideo, video.timeBase);
        index += 1;
        await sounds.readUntil(Number(origin) * secondsPerTick + decodingTick * secondsPerTick);
        onProgress?.(index / packets.length);
      }
    }
    await sounds.finish();
    await output.finish();
    return {
      container,
      contentType: CLIP_FORMATS[container].contentType,
      width: shape.width,
      height: shape.height,
      durationSeconds: durationOf(film, packets, secondsPerTick, cut.part?.ticks),
      frameCount: packets.length,
      audio: sounds.made,
    };
  } finally {
    packet.free();
    encoder.close();
    await output.close();
    sounds.close();
  }
}

/**
 * Computes decoding times for packets that several encoders made, as one encoder would: the packet
 * at place k gets the k-th smallest time stamp, moved back by the largest reordering distance.
 * @param packets in decoding order
 * @throws Error if two pictures have one time stamp
 */
export function decodingTimes(packets: readonly Pick<StoredPacket, 'tick'>[]): number[] {
  const ticks = packets.map(({ tick }) => tick).sort((a, b) => a - b);
  const places = new Map(ticks.map((tick, place) => [tick, place]));
  if (places.size !== packets.length) throw new Error('Two pictures of a film have the same time.');
  const delay = packets.reduce((most, { tick }, k) => Math.max(most, k - places.get(tick)!), 0);
  const ahead = (ticks[Math.min(delay, ticks.length - 1)] ?? 0) - (ticks[0] ?? 0);
  return packets.map((_, k) => (k < delay ? ticks[k]! - ahead : ticks[k - delay]!));
}

function fill(
  av: NodeAv,
  packet: Packet,
  { packet: { tick, duration, isKey }, data, alpha }: { packet: StoredPacket; data: Buffer; alpha: Buffer },
  origin: bigint,
  decodingTick: number,
): void {
  packet.unref();
  packet.data = data;
  packet.pts = origin + BigInt(tick);
  packet.dts = origin + BigInt(decodingTick);
  packet.duration = BigInt(duration);
  packet.isKeyframe = isKey;
  if (alpha.length > 0)
    av.FFmpegError.throwIfError(
      packet.addSideData(av.constants.AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, alpha),
      'packet',
    );
}

/** @throws MediaError DAMAGED if half of the film is missing */
function durationOf(
  { open }: OpenFilm,
  packets: readonly StoredPacket[],
  secondsPerTick: number,
  partTicks: number | undefined,
): number {
  const covered = packets.reduce((end, { tick, duration }) => Math.max(end, tick + duration), 0);
  const claimed = partTicks ?? Number(open.claimedTicks);
  if (claimed > 0 && covered + 1 / secondsPerTick < claimed / 2)
    throw new MediaError('DAMAGED', 'The video is cut short.');
  // The length in the header is exact if both agree. With B-frames, the last frame's duration is a
  // guess.
  const exact = claimed > 0 && Math.abs(claimed - covered) * secondsPerTick < 1 ? claimed : covered;
  return toMicroseconds(exact * secondsPerTick);
}

/** Returns the part of the sound that belongs to a part of a film. */
function soundOf({ part, originTick, timeBase }: FilmCut): SoundPart | undefined {
  if (part === undefined) return undefined;
  const from = BigInt(originTick);
  const range = {
    fromTick: from,
    toTick: from + BigInt(part.ticks),
    originTick: BigInt(part.filmOriginTick),
  };
  return soundPartOf(range, timeBase);
}

/** The files of the segments, which are closed together. */
class Readers implements AsyncDisposable {
  readonly all: PacketReader[] = [];

  async [Symbol.asyncDispose](): Promise<void> {
    for (const reader of this.all) await reader.close();
  }
}

/**
 * Reads the film's sound and writes it beside the pictures, up to the time of the written pictures.
 */
class SoundReader {
  readonly #film: OpenFilm;
  readonly #container: VideoFormat;
  readonly #output: OutputFile;
  readonly #part: SoundPart | undefined;
  readonly #tracks = new Map<number, SoundTrack>();
  readonly #ticks = new Map<number, number>();
  readonly #packet: Packet;
  #seconds = -Infinity;

  constructor(film: OpenFilm, container: VideoFormat, output: OutputFile, part: SoundPart | undefined) {
    this.#part = part;
    this.#film = film;
    this.#container = container;
    this.#output = output;
    this.#packet = new film.av.Packet();
    this.#packet.alloc();
  }

  /** How the sound was made. */
  get made(): ProcessResult['audio'] {
    const tracks = [...this.#tracks.values()];
    return tracks.length === 0 ? 'none' : tracks.some(({ copied }) => copied) ? 'copied' : 'encoded';
  }

  /** Adds the sound's tracks to the output. */
  async begin(): Promise<void> {
    const { av, open } = this.#film;
    for (const stream of open.audio) {
      const track = await openSound(av, stream, this.#container, this.#output, this.#part);
      if (track !== null) this.#tracks.set(stream.index, track);
      this.#ticks.set(stream.index, stream.timeBase.num / stream.timeBase.den);
    }
    if (this.#tracks.size === 0) this.#seconds = Infinity;
  }

  /** Writes the sound up to a time of the file, in seconds. */
  async readUntil(seconds: number): Promise<void> {
    const { av, open } = this.#film;
    while (this.#seconds <= seconds) {
      if (open.format.readFrameSync(this.#packet) < 0) {
        this.#seconds = Infinity;
        return;
      }
      const { streamIndex, dts } = this.#packet;
      const track = this.#tracks.get(streamIndex);
      if (track !== undefined) {
        if (dts !== av.constants.AV_NOPTS_VALUE)
          this.#seconds = Math.max(this.#seconds, Number(dts) * this.#ticks.get(streamIndex)!);
        await track.write(this.#packet);
      }
      this.#packet.unref();
    }
  }

  /** Writes the rest of the sound. */
  async finish(): Promise<void> {
    await this.readUntil(Number.MAX_VALUE);
    for (const track of this.#tracks.values()) await track.finish();
  }

  close(): void {
    this.#packet.free();
    for (const track of this.#tracks.values()) track.close();
  }
}
