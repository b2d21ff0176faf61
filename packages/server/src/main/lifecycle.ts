import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config.ts';
import type { DatabaseAddress } from '../db/database.ts';
import { ServiceRunningError } from '../db/embedded.ts';
import { DatabaseError } from '../db/require-database.ts';
import type { DatabaseMessage, MessageFromService, MessageToService } from './service-message.ts';

/**
 * Start and end of one process of the service, whether `npm start` forked it or an operator runs it
 * alone.
 */
export interface Lifecycle {
  /** Aborted when the process should finish its work and exit. */
  readonly stopping: AbortSignal;
  /**
   * Waits for the address of the database.
   * @throws ConfigError if an operator runs the process alone without naming a database.
   */
  readonly database: (config: Config) => Promise<Omit<DatabaseMessage, 'type'>>;
  /**
   * Whether the dashboard is built or known to be missing; always true if an operator runs the
   * process alone.
   */
  readonly isDashboardSettled: () => boolean;
  readonly announceReady: () => void;
}

/** Argument that `npm start` passes to the processes that it forks and sends messages to. */
export const SUPERVISED_ARGUMENT = 'supervised';

/** Time after which a shutdown is forced to end. */
const SHUTDOWN_LIMIT_MS = 30_000;

export function startLifecycle(): Lifecycle {
  const stopping = new AbortController();
  const supervised = isSupervised();
  const database = Promise.withResolvers<DatabaseMessage>();
  let isDashboardSettled = !supervised;

  const stop = (): void => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
  };
  // The process that started this one has ended, perhaps by a kill. Nobody else would stop this
  // process, which would be in the way of a new service.
  process.on('disconnect', stop);
  if (supervised) {
    process.on('message', (message: MessageToService) => {
      if (message.type === 'database') database.resolve(message);
      else if (message.type === 'dashboard-settled') isDashboardSettled = true;
      else stop();
    });
    process.on('SIGTERM', stop);
    // Ctrl-C in a terminal signals the whole process group, but the parent process decides in which
    // order the processes stop.
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  } else {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => (stopping.signal.aborted ? process.exit(1) : stop()));
    }
  }
  return {
    stopping: stopping.signal,
    database: async (config) => {
      if (supervised) return database.promise;
      if (config.databaseUrl !== null) {
        const { databaseUrl, port, publicUrl } = config;
        return { ...databaseAddress(config, databaseUrl), isOwn: false, port, publicUrl };
      }
      throw new ConfigError(
        'DATABASE_URL must name the PostgreSQL that the processes share; `npm start` brings its own',
      );
    },
    isDashboardSettled: () => isDashboardSettled,
    announceReady: () => void sendToParent({ type: 'ready' }),
  };
}

/**
 * Returns the addresses of a database. @param url of the operator's database or the bundled one.
 */
export function databaseAddress(
  { databaseDirectUrl, isDatabasePooled }: Config,
  url: string,
): DatabaseAddress {
  return { url, directUrl: databaseDirectUrl ?? url, isPooled: isDatabasePooled };
}

function isSupervised(): boolean {
  return process.argv.includes(SUPERVISED_ARGUMENT);
}

/** Sends a message to the process that started this one. @returns whether it was sent. */
async function sendToParent(message: MessageFromService): Promise<boolean> {
  if (!isSupervised() || !process.connected) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  process.send!(message, (error: Error | null) => resolve(error === null));
  return promise;
}

/**
 * Runs the main function of a process. Reports a failure in one plain sentence, and always ends the
 * process.
 */
export async function runMain(stopping: AbortSignal, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!stopping.aborted || error !== stopping.reason) {
      const reason = error instanceof Error ? sentence(error) : String(error);
      if (!(await sendToParent({ type: 'failed', reason }))) process.stderr.write(`guise: ${reason}\n`);
      process.exitCode = 1;
    }
  }
  // Written output is flushed first. After that, nothing that still keeps the event loop busy is
  // needed.
  await delay(0);
  process.exit();
}

/** Resolves when the process is asked to stop, or at once if it already was. */
export function untilStopping(stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) resolve();
    stopping.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Waits for a promise. @throws `stopping.reason` if the process is asked to stop. */
export async function unlessStopping<T>(waiting: Promise<T>, stopping: AbortSignal): Promise<T> {
  stopping.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const onStopping = (): void => stopped.reject(stopping.reason);
  stopping.addEventListener('abort', onStopping);
  try {
    return await Promise.race([waiting, stopped.promise]);
  } finally {
    stopping.removeEventListener('abort', onStopping);
  }
}

/** Failure at the start that the operator can fix. Only its message is shown. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Errors of which only the message is shown. Others are shown with their stack. */
const PLAIN_ERRORS = [ConfigError, StartError, ServiceRunningError, DatabaseError];

function sentence(error: Error): string {
  const isPlain = PLAIN_ERRORS.some((type) => error instanceof type);
  return isPlain ? error.message : (error.stack ?? error.message);
}
