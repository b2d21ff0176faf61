import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type Pool } from 'pg';

/** Receives the NOTIFYs of other processes. They may be lost, so listeners must also poll. */
export interface Notifications {
  /**
   * Listens to a channel.
   * @param handler gets the payload, or null if the connection was renewed and notifications may
   * have been
   *   lost.
   * @returns a function that stops listening.
   */
  listen(channel: NotificationChannel, handler: (payload: string | null) => void): () => void;
  /** Resolves at the first connection. */
  readonly connected: Promise<void>;
  close(): Promise<void>;
}

/**
 * guise_pending: a lane has tasks (payload: lane). guise_parts: a lane has parts of tasks (payload:
 * lane). guise_finished, guise_cancelled, guise_part_done: payload is the task's id. guise_secrets:
 * a key of the installation was rotated (payload: its name).
 */
const NOTIFICATION_CHANNELS = [
  'guise_pending',
  'guise_parts',
  'guise_part_done',
  'guise_finished',
  'guise_cancelled',
  'guise_secrets',
] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** Time without data after which the kernel checks whether the server is still there. */
const KEEP_ALIVE_MS = 10_000;

/** Waits before each attempt to reconnect. The last one is repeated. */
const RECONNECT_MS = [50, 100, 250, 500, 1000];

/** Keeps a connection for listening, and opens it again whenever it breaks. */
export function openNotifications(url: string, onError: (error: Error) => void = () => {}): Notifications {
  const handlers = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  const firstConnection = Promise.withResolvers<void>();

  const stayConnected = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted;) {
      try {
        await listenUntilBroken(
          url,
          closing.signal,
          (channel, payload) => handlers.emit(channel, payload),
          () => {
            failures = 0;
            firstConnection.resolve();
            for (const channel of NOTIFICATION_CHANNELS) handlers.emit(channel, null);
          },
        );
      } catch (error) {
        if (closing.signal.aborted) return;
        onError(error as Error);
        const waitMs = RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)];
        await delay(waitMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      }
    }
  };
  const done = stayConnected();

  return {
    connected: firstConnection.promise,
    listen(channel, handler) {
      handlers.on(channel, handler);
      return () => handlers.off(channel, handler);
    },
    async close() {
      closing.abort();
      await done;
    },
  };
}

/** Resolves when closed, rejects when the connection breaks. */
async function listenUntilBroken(
  url: string,
  closing: AbortSignal,
  onNotification: (channel: string, payload: string) => void,
  onConnected: () => void,
): Promise<void> {
  const client = new Client({
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: 10_000,
  });
  const ended = Promise.withResolvers<void>();
  // These events may come before anything awaits the promise.
  ended.promise.catch(() => {});
  client.on('error', ended.reject);
  client.on('end', () => ended.reject(new Error('the listening connection ended')));
  client.on('notification', (message) => onNotification(message.channel, message.payload ?? ''));
  const onClosing = (): void => ended.resolve();
  closing.addEventListener('abort', onClosing);
  try {
    await client.connect();
    await client.query(NOTIFICATION_CHANNELS.map((channel) => `listen ${channel}`).join('; '));
    onConnected();
    if (!closing.aborted) await ended.promise;
  } finally {
    closing.removeEventListener('abort', onClosing);
    await client.end().catch(() => {});
  }
}

/**
 * Notifies every listening process. Called after the commit, because a NOTIFY inside a transaction
 * would serialise all commits of the database. Failures are ignored, because listeners also poll.
 */
export function notifyInBackground(pool: Pool, channel: NotificationChannel, payload: string): void {
  notify(pool, channel, payload).catch(() => {});
}

/** Notifies every listening process and waits for it, for commands that end right afterwards. */
export async function notify(pool: Pool, channel: NotificationChannel, payload: string): Promise<void> {
  await pool.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] });
}
