import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import type { SignInService } from '../../sign-in/open-sign-in.ts';
import type { GuardedClient } from '../../net/guarded-client.ts';
import type { EndOptions } from '../../tasks/end-task.ts';
import type { FileLinks } from '../../storage/file-links.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** What the wire is built on; the composition root makes them and closes them after the app. */
export interface HttpDeps {
  readonly config: Config;
  readonly database: Database;
  /** Opened with `durable: false`: for admissions and polls, which need not wait for the disk. */
  readonly readDatabase: Database;
  readonly notifications: Notifications;
  readonly storage: Storage;
  readonly links: FileLinks;
  readonly signIn: SignInService;
  /** For media that a client gives by URL. */
  readonly client: GuardedClient;
  /** For tasks that are cancelled here. */
  readonly ending: EndOptions;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** How long an answer waits for short work before it is 503 `BUSY`. */
  readonly patienceMs: number;
  /**
   * Whether the dashboard's build is over, well or not: until then `/readyz` says that it is not.
   */
  readonly isDashboardSettled: () => boolean;
  /** Aborted when the process is to leave, before `app.close()`: `/readyz` says so first. */
  readonly shutdown: AbortSignal;
}
