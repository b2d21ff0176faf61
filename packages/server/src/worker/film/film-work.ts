import type { VideoFormat } from '@guise/contract/formats.ts';
import type {
  ChooseFacesOutcome,
  CutFilmOutcome,
  DrawSegmentOutcome,
  JoinFilmOutcome,
  PersonMapping,
} from '@guise/engine-host/protocol/engine-job.ts';
import type { ClipPart, LabelOption, RestoreOptions } from '@guise/contract/work.ts';
import type { Receipt, StoredInput, StoredOutput, SwapVideoOrder } from '../../tasks/task.ts';
import type { FilmSource } from '../work/source-files.ts';

/** File in storage that a part made for other parts of its film. */
export interface MadeFile {
  readonly objectKey: string;
}

/** Work of a `cut` part. */
export interface CutWork extends Pick<SwapVideoOrder, 'networks'> {
  readonly target: StoredInput;
  /** People who get other faces. If absent: the person whom the film is about. */
  readonly mappings?: readonly PersonMapping[];
  /** Sources in the order of the mappings. */
  readonly sources: readonly FilmSource[];
  /** Part of the film to swap. If absent: all of it. */
  readonly part?: ClipPart;
}
export type MadeCut = MadeFile & CutFilmOutcome & Pick<Receipt, 'engine'>;

/** Settings of a film's output. */
interface FilmWish extends Pick<SwapVideoOrder, 'size'> {
  readonly target: StoredInput;
  readonly container: VideoFormat;
}

/**
 * Work of a `study` part, whose position is the number of its segment. Its result is a `MadeFile`.
 */
export interface StudyWork extends FilmWish {
  readonly cut: MadeFile;
  /** Whether several people get other faces. */
  readonly isApart: boolean;
}

/** Work of a `choose` part. */
export interface ChooseWork extends Pick<CutFilmOutcome, 'persons'> {
  readonly cut: MadeFile;
  /** Studies in the order of the segments. */
  readonly studies: readonly MadeFile[];
}
export type MadeChoice = MadeFile & ChooseFacesOutcome;

/** Work of a `draw` part, whose position is the number of its segment. */
export interface DrawWork extends FilmWish, Pick<CutWork, 'sources' | 'networks'>, LabelOption {
  readonly plan: MadeFile;
  readonly restore: RestoreOptions;
}
export type MadeSegment = MadeFile & DrawSegmentOutcome;

/** Work of a `join` part. */
export interface JoinWork extends Omit<FilmWish, 'size'>, Pick<SwapVideoOrder, 'networks'> {
  readonly plan: MadeFile;
  /** Segments in order. */
  readonly segments: readonly MadeFile[];
}
export type MadeFilm = Omit<JoinFilmOutcome, 'thumbnail'> &
  Pick<StoredOutput, 'objectKey' | 'thumbnailKey' | 'expiresAt'>;

/** Progress of a part of a film. */
export interface FilmPartProgress {
  /** Share that is done, 0 to 1. */
  readonly share: number;
  /** Frames written so far; only for drawing. */
  readonly frames?: number;
}
