import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import type { SignInService } from '../../sign-in/open-sign-in.ts';
import type { GuardedClient } from '../../net/guarded-client.ts';
import type { Engines } from '../../engines/engines.ts';
import type { EndOptions } from '../../tasks/end-task.ts';
import type { FileLinks } from '../../storage/file-links.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Services that all routes use. The main function makes them, and closes them after the app. */
export interface HttpDeps {
  readonly config: Config;
  readonly database: Database;
  /**
   * Database opened with `durable: false`, for admissions and polls, which need not wait for the
   * disk.
   */
  readonly readDatabase: Database;
  readonly notifications: Notifications;
  readonly storage: Storage;
  readonly links: FileLinks;
  readonly signIn: SignInService;
  /** What draws faces. */
  readonly engines: Engines;
  /** Client that downloads media given by URL. */
  readonly client: GuardedClient;
  /** Options for ending tasks that are cancelled by a request. */
  readonly ending: EndOptions;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Longest wait for short work before the answer is 503 `BUSY`. */
  readonly patienceMs: number;
  /**
   * Whether the build of the dashboard has ended, even if it failed. Until then, `/readyz` answers
   * 503.
   */
  readonly isDashboardSettled: () => boolean;
  /**
   * Aborted when the process is asked to stop, before `app.close()`. `/readyz` then answers 503.
   */
  readonly shutdown: AbortSignal;
}
