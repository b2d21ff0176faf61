import type { DatabaseAddress } from '../db/database.ts';

/**
 * Address of the database. `npm start` sends it as a message to the processes that it forks,
 * because other programs can read environment variables.
 */
export interface DatabaseMessage extends DatabaseAddress {
  readonly type: 'database';
  /** Whether the database is the bundled one, which no other worker can use. */
  readonly isOwn: boolean;
  /** Port for the API, perhaps 0 for any that is free. */
  readonly port: number;
  /** Beginning of all links. Known only after the API's port has been chosen. */
  readonly publicUrl: string;
}

/**
 * Message that the dashboard's build has ended, also if it failed. The API is ready only after
 * this.
 */
export interface DashboardSettledMessage {
  readonly type: 'dashboard-settled';
}

/** Messages that a restarted process gets again. */
export type News = DatabaseMessage | DashboardSettledMessage;

export type MessageToService = News | { readonly type: 'stop' };

export type MessageFromService =
  | { readonly type: 'ready' }
  /**
   * Reason why the process ends. The parent shows it, so that only one process reports a failed
   * start.
   */
  | { readonly type: 'failed'; readonly reason: string };
