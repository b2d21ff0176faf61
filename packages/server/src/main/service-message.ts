import type { DatabaseAddress } from '../db/database.ts';

/**
 * Address of the database, sent by `npm start` to the processes that it forks: an environment is
 * inherited and can be read by others. Standalone processes exchange no messages.
 */
export interface DatabaseMessage extends DatabaseAddress {
  readonly type: 'database';
  /** Whether the database is this service's own, so that no other worker can use it. */
  readonly isOwn: boolean;
  /** Start of all links; its port is known only when the API has one. */
  readonly publicUrl: string;
}

/** Report that the dashboard's build has ended, even in failure: only then is the API ready. */
export interface DashboardSettledMessage {
  readonly type: 'dashboard-settled';
}

/** Messages that a process gets again when it is started again. */
export type News = DatabaseMessage | DashboardSettledMessage;

export type MessageToService = News | { readonly type: 'stop' };

export type MessageFromService =
  | { readonly type: 'ready' }
  /**
   * Report of why the process ends. Its parent shows the reason, since one of several at a start is
   * enough.
   */
  | { readonly type: 'failed'; readonly reason: string };
