/**
 * What `npm start` and the processes it forks tell each other. Standalone processes hear and say
 * none of it.
 */
export interface DatabaseMessage {
  readonly type: 'database';
  /** By message, because an environment is inherited and can be read by others. */
  readonly url: string;
  /** The database is this service's own: no other worker can be at work on it. */
  readonly isOwn: boolean;
  /** What links start with; its port is known only once the API has one. */
  readonly publicUrl: string;
}

/**
 * The dashboard's build is over, whether there is one now or it failed: only then does the API say
 * that it is ready.
 */
export interface DashboardSettledMessage {
  readonly type: 'dashboard-settled';
}

/** What a process that is started again is told again. */
export type News = DatabaseMessage | DashboardSettledMessage;

export type MessageToService = News | { readonly type: 'stop' };

export type MessageFromService =
  | { readonly type: 'ready' }
  /**
   * It ends for this reason, which it leaves to its parent to tell: of several at a start one is
   * enough.
   */
  | { readonly type: 'failed'; readonly reason: string };
