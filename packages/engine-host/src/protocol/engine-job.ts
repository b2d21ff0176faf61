import type { VideoFormat, ClipOutputFormat } from '@guise/contract/formats.ts';
import type { Provider } from '@guise/contract/engines.ts';
import type { TriedHardware, VideoHardware } from '@guise/contract/video-hardware.ts';
import type { FailureCode } from '@guise/contract/errors.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { FilmReceipt } from '@guise/engine/film/film-plan.ts';
import type { ClipLook } from '@guise/engine/pipeline/clip-look.ts';
import type { NetworkInspection } from '@guise/engine/networks/inspect-network.ts';
import type { SwapNetworks } from '@guise/engine/networks/open-networks.ts';
import type { ProtocolName } from '@guise/engine/networks/protocols.ts';
import type { TriedProvider } from '@guise/engine/networks/try-providers.ts';
import type { PersonReceipt } from '@guise/engine/pipeline/draw-segment.ts';
import type { MappedPerson } from '@guise/engine/pipeline/mapped-persons.ts';
import type { SwapVideoReceipt } from '@guise/engine/pipeline/swap-video.ts';
import type { ManifestContent, ManifestRequest } from '@guise/media/provenance/manifest-signer.ts';
import type {
  ClipOptions,
  ClipPart,
  DetectedFace,
  FrameProgress,
  LabelOption,
  MappedBox,
  PersonFace,
  RestoreOptions,
  StillOptions,
  SwappedFaces,
  VideoSize,
} from '@guise/contract/work.ts';

/** A further photo of the source's person. */
export interface AdditionalSourceFile {
  /** Name in error messages. */
  readonly name: string;
  readonly path: string;
}

/** Mark of a job's output. */
interface MarkedJob {
  /** Id of the invisible watermark, twelve digits in lower-case hex. Default: no watermark. */
  readonly watermark?: string | undefined;
}

/** Job that swaps the face of one photo. */
export interface SwapImageJob extends MarkedJob {
  readonly kind: 'swap-image';
  readonly sourcePath: string;
  readonly additionalSources?: readonly AdditionalSourceFile[];
  readonly targetPath: string;
  readonly outputPath: string;
  readonly options: StillOptions;
  /**
   * File that several jobs of a batch share. Its decoded form and its faces are kept for the next
   * job.
   */
  readonly shared?: 'source' | 'target';
  /** Name of the shared file's content. Default: its path. */
  readonly sharedName?: string;
  readonly maxPixels: number;
  /** Networks of the operator. Default: the mesh swapper alone. */
  readonly networks?: SwapNetworks | undefined;
}

/** Job that swaps several faces of one photo. */
export interface SwapGroupJob extends MarkedJob {
  readonly kind: 'swap-group';
  readonly targetPath: string;
  readonly outputPath: string;
  readonly replacements: readonly {
    /** Name in error messages. */
    readonly name: string;
    readonly sourcePath: string;
    readonly additionalSources?: readonly AdditionalSourceFile[];
    readonly box: MappedBox;
  }[];
  readonly options: Pick<StillOptions, 'restore' | 'output' | 'label'>;
  readonly maxPixels: number;
  /** Networks of the operator. Default: the mesh swapper alone. */
  readonly networks?: SwapNetworks | undefined;
}

/** Job that finds out whether a file is a network that guise can use. */
export interface InspectNetworkJob {
  readonly kind: 'inspect-network';
  readonly networkPath: string;
  /** Protocol that the operator names. */
  readonly protocol?: ProtocolName | undefined;
  /** Whether inswapper's matrix is in another file. Default: no. */
  readonly hasMatrix?: boolean;
}

/** Job that finds out what networks of the operator can compute on. */
export interface TryProvidersJob {
  readonly kind: 'try-providers';
  readonly providers: readonly Provider[];
}

/** Job that finds out which hardware encodes videos. */
export interface TryVideoHardwareJob {
  readonly kind: 'try-video-hardware';
  readonly hardware: readonly VideoHardware[];
}

/** Job that detects the faces of some images. */
export interface DetectFacesJob {
  readonly kind: 'detect-faces';
  readonly images: readonly { readonly name: string; readonly path: string }[];
  readonly maxPixels: number;
  /** Whether the outcome has previews. */
  readonly withPreviews?: boolean;
}

/** Job that computes embeddings of the faces of some photos, for the blocklist. */
export interface IdentifyFacesJob {
  readonly kind: 'identify-faces';
  readonly photos: readonly {
    readonly name: string;
    readonly path: string;
    /** Whose: of the largest face, or of all. */
    readonly whose: 'largest' | 'all';
  }[];
  readonly maxPixels: number;
}

/** Job that checks that photos show one person. */
export interface CheckFaceJob {
  readonly kind: 'check-face';
  readonly photos: readonly { readonly name: string; readonly path: string }[];
  /** Whether a photo may show nobody else. Default: its largest face counts. */
  readonly isAlone?: boolean | undefined;
  readonly maxPixels: number;
}

/** Job that swaps the face of a clip. */
export interface SwapVideoJob extends MarkedJob {
  readonly kind: 'swap-video';
  readonly sourcePath: string;
  readonly additionalSources?: readonly AdditionalSourceFile[];
  readonly targetPath: string;
  /** Path of the output. While the output is being written, its path is `<outputPath>.part`. */
  readonly outputPath: string;
  /** Container of the output. The target is a GIF if this is `gif`. */
  readonly container: ClipOutputFormat;
  /** Hardware that encodes H.264. Default: x264. */
  readonly hardware?: VideoHardware | undefined;
  readonly options: ClipOptions;
  /** Largest number of pixels of a source image. */
  readonly maxPixels: number;
  /** Networks of the operator. Default: the mesh swapper alone. */
  readonly networks?: SwapNetworks | undefined;
}

/** A person of a clip who gets another face. */
export interface PersonMapping {
  /** Name in error messages: `faceBox1`. */
  readonly name: string;
  readonly face: PersonFace;
}

/** Photos of a person who replaces a person of a clip. */
export interface SourceFiles {
  readonly path: string;
  /** Name of this photo in error messages. Default: "source image". */
  readonly name?: string;
  readonly additional?: readonly AdditionalSourceFile[];
}

/** Job that swaps several people of a clip, each for another face. */
export interface SwapPersonsJob extends Omit<SwapVideoJob, 'kind' | 'sourcePath' | 'additionalSources'> {
  readonly kind: 'swap-persons';
  readonly mappings: readonly PersonMapping[];
  /** Sources in the order of the mappings. */
  readonly sources: readonly SourceFiles[];
}

/** Looks at a clip so far, as plain data, which may be kept between jobs. */
export interface LooksSoFar {
  /** Number of the look that comes next. */
  readonly next: number;
  readonly looks: readonly ClipLook[];
}

/** Job that finds who is in a clip, in slices. */
export interface LookAtClipJob {
  readonly kind: 'look-at-clip';
  /** Name of the clip in error messages. */
  readonly name: string;
  readonly targetPath: string;
  /** Result of the previous slice. Default: this slice is the first. */
  readonly sofar?: LooksSoFar;
  /**
   * Time after which no further look begins, except for the looks that make a slice worth its
   * start.
   */
  readonly budgetMs: number;
  /** Whether the outcome has previews: if it is complete, or always. */
  readonly previews?: 'if-complete' | 'always';
}

/** Properties that all jobs of one film share. */
interface FilmJob {
  readonly targetPath: string;
  /** Path of the file that the job makes. */
  readonly outputPath: string;
}

/** Properties that all jobs that work on pixels share. */
interface SegmentJob extends FilmJob {
  /** Number of the segment, counted from 0. */
  readonly segment: number;
  readonly container: VideoFormat;
  /** Size of the film's output. */
  readonly size?: VideoSize;
}

/**
 * Job that finds where a film is cut into segments, analyses the sources and looks for the people,
 * so that a request that must fail fails at once.
 */
export interface CutFilmJob extends FilmJob {
  readonly kind: 'cut-film';
  /** Wanted part of the film. Default: all of it. */
  readonly part?: ClipPart;
  /** People who get other faces. Default: the person whom the film is about. */
  readonly mappings?: readonly PersonMapping[];
  /** Sources in the order of the mappings. */
  readonly sources: readonly SourceFiles[];
  /** Largest number of pixels of a source image. */
  readonly maxPixels: number;
}

/** Job that finds who is where in one segment. */
export interface StudySegmentJob extends SegmentJob {
  readonly kind: 'study-segment';
  /** Whether several people get other faces. */
  readonly isApart: boolean;
  /** File that the `CutFilmJob` made. */
  readonly cutPath: string;
}

/** Job that decides from all studies who gets another face, and which faces to draw where. */
export interface ChooseFacesJob extends Omit<FilmJob, 'targetPath'> {
  readonly kind: 'choose-faces';
  readonly cutPath: string;
  /** Files that the `StudySegmentJob`s made, in order. */
  readonly studyPaths: readonly string[];
  /** Wanted people, as the `CutFilmJob` found them. Default: the person whom the film is about. */
  readonly persons?: readonly MappedPerson[];
}

/** Job that draws and encodes one segment. The plan may have fewer segments than the cut. */
export interface DrawSegmentJob extends SegmentJob, LabelOption, MarkedJob {
  readonly kind: 'draw-segment';
  /** Sources in the order of the film's persons. */
  readonly sources: readonly SourceFiles[];
  /** File that the `ChooseFacesJob` made. */
  readonly planPath: string;
  /** Hardware that encodes H.264. Default: x264. */
  readonly hardware?: VideoHardware | undefined;
  readonly restore: RestoreOptions;
  readonly maxPixels: number;
  /** Networks of the operator. Default: the mesh swapper alone. */
  readonly networks?: SwapNetworks | undefined;
}

/** Job that joins the drawn segments into one file, with sound, marks and signature. */
export interface JoinFilmJob extends FilmJob, MarkedJob {
  readonly kind: 'join-film';
  readonly planPath: string;
  /** Files that the `DrawSegmentJob`s made, in order. */
  readonly segmentPaths: readonly string[];
  readonly container: VideoFormat;
  /** Hardware that encodes H.264. Default: x264. */
  readonly hardware?: VideoHardware | undefined;
}

/**
 * Any job of an engine process, which consists of local files and plain values, without anything of
 * the server.
 */
export type EngineJob =
  | SwapImageJob
  | SwapGroupJob
  | SwapVideoJob
  | SwapPersonsJob
  | LookAtClipJob
  | DetectFacesJob
  | CheckFaceJob
  | IdentifyFacesJob
  | CutFilmJob
  | StudySegmentJob
  | ChooseFacesJob
  | DrawSegmentJob
  | JoinFilmJob
  | InspectNetworkJob
  | TryProvidersJob
  | TryVideoHardwareJob;

/** Outcome of a still that was written. */
export interface StillOutcome {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  /** Digest of the file, in lower-case hex. */
  readonly sha256: string;
  /** A small WebP of the swapped face in base64, for lists; absent if it could not be made. */
  readonly thumbnail?: string;
  /** Number of faces in the target. */
  readonly facesFound: number;
  /**
   * Similarity to the source, 0..1. For several faces the lowest; null if it could not be measured.
   */
  readonly identitySimilarity: number | null;
  /** Faces of each swap, in the order of the replacements. Their numbers have no meaning. */
  readonly swapped: readonly SwappedFaces[];
}

/** Outcome of a `SwapImageJob`. */
export interface SwapImageOutcome extends StillOutcome {
  readonly swappedFaceIndex: number;
  /** Shares of the source and of each additional photo in the face's texture. Their sum is 1. */
  readonly sourceShares: readonly number[];
  /** Durations of the steps in milliseconds, in the order in which they ran. */
  readonly timingsMs: Readonly<Record<string, number>>;
}

/** Outcome of a `SwapVideoJob`. */
export interface SwapVideoOutcome extends Omit<SwapVideoReceipt, 'source'> {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
  readonly sizeBytes: number;
  /** Digest of the file, in lower-case hex. */
  readonly sha256: string;
  /** A small WebP of one of the first pictures in base64; absent if it could not be made. */
  readonly thumbnail?: string;
  readonly audio: 'copied' | 'encoded' | 'none';
  /** Faces of the swap. */
  readonly swapped: readonly SwappedFaces[];
}

/** Outcome of a `SwapPersonsJob`. */
export interface SwapPersonsOutcome extends Omit<SwapVideoOutcome, 'sourceShares'> {
  /** Result for each mapped person, in the order of the mappings. */
  readonly persons: readonly {
    readonly framesSwapped: number;
    readonly longestGapFrames: number;
    /** Similarity to the person's source, 0..1, or null if all faces were too small. */
    readonly identitySimilarity: number | null;
  }[];
}

/** A person of a clip. */
export interface LookedPerson {
  /** Number of the person, in the order of the face's area times its time on camera. */
  readonly personIndex: number;
  /** Share of the looks that show the person, 0..1. */
  readonly share: number;
  /** Times of each appearance, from and to, seconds. */
  readonly appearances: readonly (readonly [number, number])[];
  /** Moment at which the person is best visible. */
  readonly atSeconds: number;
  /** The face at that moment, in pixels of the upright picture. */
  readonly face: DetectedFace;
  /** The face at that moment, a WebP in base64. */
  readonly preview?: string;
}

/** Outcome of a `LookAtClipJob`: the results of all slices so far. */
export interface LookAtClipOutcome {
  /** State from which the next slice continues. */
  readonly sofar: LooksSoFar;
  readonly isComplete: boolean;
  readonly durationSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly persons: readonly LookedPerson[];
  /** The clip at the best moment of its main person, a WebP in base64. */
  readonly preview?: string;
}

/** Outcome of a `DetectFacesJob`. */
export interface DetectFacesOutcome {
  readonly images: readonly {
    readonly name: string;
    readonly width: number;
    readonly height: number;
    readonly faces: readonly DetectedFace[];
    /** The upright image, a WebP in base64. */
    readonly preview?: string;
  }[];
}

/** Outcome of a `CheckFaceJob` whose photos show one person. */
export interface CheckFaceOutcome {
  /** A small WebP of the face in base64; absent if it could not be made. */
  readonly thumbnail?: string;
  /** Embedding of the face in each photo. */
  readonly identities: readonly Float32Array[];
}

/** Outcome of an `IdentifyFacesJob`: for each photo the embeddings of its faces. */
export interface IdentifyFacesOutcome {
  readonly identities: readonly (readonly Float32Array[])[];
}

/** Outcome of a `CutFilmJob`. */
export interface CutFilmOutcome {
  readonly segments: number;
  /** Number of frames of the film, according to its header. */
  readonly frames: number;
  /** Faces of the swap, in the order of the sources. */
  readonly swapped: readonly SwappedFaces[];
  /** Where the mapped people are; only if there are mappings. */
  readonly persons?: readonly MappedPerson[];
}

/** Outcome of a `ChooseFacesJob`. */
export interface ChooseFacesOutcome extends FilmReceipt {
  /** Number of segments to draw. */
  readonly segments: number;
}

/** Outcome of a `DrawSegmentJob`. */
export interface DrawSegmentOutcome {
  /** One for each person, in the order of the sources. */
  readonly persons: readonly PersonReceipt[];
  /** Number of written frames. */
  readonly frames: number;
}

/** Outcome of a `JoinFilmJob`. */
export type JoinFilmOutcome = Pick<
  SwapVideoOutcome,
  'contentType' | 'width' | 'height' | 'durationSeconds' | 'sizeBytes' | 'sha256' | 'thumbnail' | 'audio'
>;

/** The outcome that belongs to each kind of job. */
interface Outcomes {
  'swap-image': SwapImageOutcome;
  'swap-group': StillOutcome;
  'swap-video': SwapVideoOutcome;
  'swap-persons': SwapPersonsOutcome;
  'look-at-clip': LookAtClipOutcome;
  'detect-faces': DetectFacesOutcome;
  'check-face': CheckFaceOutcome;
  'identify-faces': IdentifyFacesOutcome;
  'cut-film': CutFilmOutcome;
  'study-segment': Record<string, never>;
  'choose-faces': ChooseFacesOutcome;
  'draw-segment': DrawSegmentOutcome;
  'join-film': JoinFilmOutcome;
  'inspect-network': NetworkInspection;
  'try-providers': readonly TriedProvider[];
  'try-video-hardware': readonly TriedHardware[];
}

/** The outcome that belongs to a kind of job. */
export type EngineOutcome<J extends EngineJob> = Outcomes[J['kind']];

/** The outcome of any job. */
export type AnyOutcome = Outcomes[EngineJob['kind']];

/** Name and version of the engine in a process. */
export interface EngineInfo {
  readonly name: string;
  readonly version: string;
}

/**
 * Receives the progress of a job.
 * @param progress 0..1, never decreasing
 * @param frames frames of a video that are done
 */
export type OnProgress = (progress: number, frames?: FrameProgress) => void;

/** Messages that the parent sends to an engine process. */
export type MessageToEngine =
  | {
      readonly type: 'job';
      readonly jobId: number;
      readonly job: EngineJob;
      /** Whether another engine analyses the source. A message `source-analysis` then follows. */
      readonly expectsSourceAnalysis: boolean;
    }
  /** Answers the job's `measure`: the length of the manifest that will answer its `sign`. */
  | { readonly type: 'measured'; readonly jobId: number; readonly manifestBytes: number }
  /** Answers the job's `sign`. */
  | { readonly type: 'signed'; readonly jobId: number; readonly manifest: Uint8Array }
  /** Carries another engine's analysis of the job's source; null if there is none. */
  | { readonly type: 'source-analysis'; readonly jobId: number; readonly analysis: SourceAnalysis | null }
  /** Asks to stop a job. A process that does not stop in time is killed. */
  | { readonly type: 'abort'; readonly jobId: number };

/** Messages that an engine process sends to its parent. */
export type MessageFromEngine =
  /** The networks are open, but the process does not take jobs yet. */
  | { readonly type: 'opened' }
  | { readonly type: 'ready'; readonly engine: EngineInfo }
  | {
      readonly type: 'progress';
      readonly jobId: number;
      readonly progress: number;
      /** Frames that are done, for a video. */
      readonly frames?: FrameProgress;
    }
  /** Carries the analysis of the source that the job shares with others. */
  | { readonly type: 'source-analysis'; readonly jobId: number; readonly analysis: SourceAnalysis }
  /** Asks for the length of the manifest of the job's output, at most once per job. */
  | { readonly type: 'measure'; readonly jobId: number; readonly content: ManifestContent }
  /** Asks for the manifest of the job's output, once per job. */
  | { readonly type: 'sign'; readonly jobId: number; readonly request: ManifestRequest }
  /** Announces that only encoding is left, so that another job may begin. */
  | { readonly type: 'writing'; readonly jobId: number }
  | {
      readonly type: 'done';
      readonly jobId: number;
      readonly outcome: AnyOutcome;
    }
  | {
      readonly type: 'failed';
      readonly jobId: number;
      readonly code: FailureCode;
      /** Message for the client. */
      readonly message: string;
      /** Details for the log only. */
      readonly detail: string;
      /** Whether the process is of no use any more, because its memory ran out. */
      readonly mustRestart: boolean;
    };
