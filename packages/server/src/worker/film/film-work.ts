import type { VideoFormat } from '@guise/contract/formats.ts';
import type {
  ChooseFacesOutcome,
  CutFilmOutcome,
  DrawSegmentOutcome,
  JoinFilmOutcome,
} from '@guise/engine-host/protocol/engine-job.ts';
import type { ClipPart } from '@guise/contract/work.ts';
import type { Receipt, StoredInput, StoredOutput, SwapVideoOrder } from '../../tasks/task.ts';

/** What a part made for other parts of its film, at rest in storage. */
export interface MadeFile {
  readonly objectKey: string;
}

/** Work of a part `cut`. */
export interface CutWork {
  readonly target: StoredInput;
  readonly source: StoredInput;
  readonly additionalSources: readonly StoredInput[];
  /** Part of the film that is wanted. Absent: all of it. */
  readonly part?: ClipPart;
}
export type MadeCut = MadeFile & CutFilmOutcome & Pick<Receipt, 'engine'>;

/** What is said of a film's output. */
interface FilmWish extends Pick<SwapVideoOrder, 'size'> {
  readonly target: StoredInput;
  readonly container: VideoFormat;
}

/** Work of a part `study`, whose position is that of its segment; it makes a `MadeFile`. */
export interface StudyWork extends FilmWish {
  readonly cut: MadeFile;
}

/** Work of a part `choose`. */
export interface ChooseWork {
  readonly cut: MadeFile;
  /** Studies in the order of the segments. */
  readonly studies: readonly MadeFile[];
}
export type MadeChoice = MadeFile & ChooseFacesOutcome;

/** Work of a part `draw`, whose position is that of its segment. */
export interface DrawWork extends FilmWish, CutWork, Pick<SwapVideoOrder, 'restore'> {
  readonly plan: MadeFile;
}
export type MadeSegment = MadeFile & DrawSegmentOutcome;

/** Work of a part `join`. */
export interface JoinWork extends Omit<FilmWish, 'size'> {
  readonly plan: MadeFile;
  /** Segments in their order. */
  readonly segments: readonly MadeFile[];
}
export type MadeFilm = JoinFilmOutcome & Pick<StoredOutput, 'objectKey' | 'expiresAt'>;

/** What a part of a film shows of itself while it is worked on. */
export interface FilmPartProgress {
  /** Share that is done, 0..1. */
  readonly share: number;
  /** Frames written so far; of drawing only. */
  readonly frames?: number;
}
