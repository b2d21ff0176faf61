import type { VideoHardware } from '@guise/contract/video-hardware.ts';
import type { Lane } from '@guise/contract/task.ts';
import type { LabelMode } from '@guise/contract/work.ts';
import type { Database } from '../../db/database.ts';
import type { HeldNetworks } from '../../networks/held-networks.ts';
import type { SecretRing } from '../../db/installation-secrets.ts';
import type { Notifications } from '../../db/notifications.ts';
import type { GuardedClient } from '../../net/guarded-client.ts';
import type { ClaimedTask } from '../../tasks/queue/claim-tasks.ts';
import type { Claimer } from '../../tasks/queue/claimer.ts';
import type { LanePace } from '../../tasks/queue/lane-pace.ts';
import type { Storage } from '../../storage/storage.ts';
import type { EndOptions } from '../../tasks/end-task.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { WorkerMetrics } from '../../telemetry/worker-metrics.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { BlockedFaces } from '../blocked/blocked-faces.ts';
import type { WorkingHardware } from './working-hardware.ts';
import type { LeavingParts } from './leaving-parts.ts';
import type { PartNews } from './part-news.ts';
import type { Leaders } from './leaders.ts';
import type { SharedWork } from './shared-work.ts';
import type { TaskAborts } from './task-aborts.ts';
import type { WorkSignal } from './work-signal.ts';

export interface WorkerSettings {
  readonly taskDeadlineMs: number;
  readonly ending: EndOptions;
  readonly outputLifetimeMs: number;
  readonly maxPixels: number;
  /** When results get the visible label. */
  readonly label: LabelMode;
  /** Whether results get the invisible watermark. */
  readonly watermark: boolean;
  /** Longest total time that a batch may spend only on waiting for the servers of its URLs. */
  readonly serverPatienceMs: number;
  /**
   * Time that running tasks get to finish when the worker is asked to stop. After that, they are
   * returned to the queue.
   */
  readonly shutdownGraceMs: number;
  /** Time after which engines that start on demand start anyway, so that no work waits for it. */
  readonly spareStartMs: number;
  /**
   * Whether this is the only worker of the database. If so, a task that is marked as running when
   * the worker starts was left by a dead worker.
   */
  readonly workersAreGone: boolean;
}

export interface WorkerOptions {
  readonly db: Database;
  /**
   * Database opened with `durable: false`. A crash of PostgreSQL may lose claims and heartbeats,
   * which are repeated.
   */
  readonly relaxedDb: Database;
  readonly notifications: Notifications;
  readonly storage: Storage;
  /** Client that fetches media given by URL. */
  readonly client: GuardedClient;
  readonly log: Logger;
  readonly metrics: WorkerMetrics;
  readonly pace: LanePace;
  /**
   * Secret of the installation. It encrypts the state that one slice of a task leaves for the next,
   * and makes the ids of watermarks.
   */
  readonly secret: SecretRing;
  /** Engines, at least 2. The first is reserved for short work (docs/decisions/0003#fair-share). */
  readonly engines: readonly EngineProcess[];
  /** Networks of the operator on this machine. */
  readonly networks: HeldNetworks;
  /** Hardware that encodes videos here, once it is known; null for x264. Default: x264. */
  readonly videoHardware?: Promise<WorkingHardware | null>;
  /**
   * Asks the operator's moderation before a client's task begins. Rejects if the task must not
   * begin. If absent: nobody is asked.
   */
  readonly moderate?: ((task: ClaimedTask, signal: AbortSignal) => Promise<void>) | undefined;
  /** Refuses faces of the blocklist. If absent: no face is compared. */
  readonly blockedFaces?: BlockedFaces | undefined;
  readonly settings: WorkerSettings;
}

/** Options that the slots and leaders of one worker share. */
interface SharedOptions extends WorkerOptions {
  readonly work: WorkSignal;
  readonly aborts: TaskAborts;
  readonly partNews: PartNews;
  /** Files and analyses that the parts of a task share on this machine. */
  readonly sharedWork: SharedWork;
  /** Name of this worker's engine, with the networks of a led task. Its parts require it. */
  readonly engineIdentity: string;
  /** Hardware that encodes videos here; undefined for x264. */
  readonly hardware: VideoHardware | undefined;
}

/** Options of the leader of a task with parts. A leader needs no engine. */
export interface LeaderOptions extends SharedOptions {
  /**
   * Called by `waitForParts` when the parts exist. The slot that claimed the task is then free for
   * other work.
   */
  readonly onOffered: () => void;
}

export interface SlotOptions extends SharedOptions {
  readonly engine: EngineProcess;
  readonly lanes: readonly Lane[];
  readonly claimer: Claimer;
  readonly leaders: Leaders;
  readonly leavingParts: LeavingParts;
}
