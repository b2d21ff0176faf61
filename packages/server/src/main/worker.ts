/**
 * The worker process: claims tasks and runs the engine. Forked by `npm start`, or run alone beside
 * a shared database.
 */
import { type Config, loadConfig } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';
import { openDatabase } from '../db/database.ts';
import { openEmbedded } from '../db/embedded.ts';
import { openNotifications } from '../db/notifications.ts';
import { requireDatabase } from '../db/require-database.ts';
import { createGuardedClient } from '../net/guarded-client.ts';
import { createEndedInputs } from '../storage/ended-inputs.ts';
import { createFileLinks } from '../storage/file-links.ts';
import { openStorage } from '../storage/open-storage.ts';
import { startSweeper } from '../storage/sweeper.ts';
import { pruneUnverified } from '../accounts/prune-unverified.ts';
import { pruneSignIn } from '../sign-in/throttle.ts';
import { pruneExpired } from '../tasks/prune.ts';
import { announceWorker } from '../tasks/worker-presence.ts';
import { createLogger } from '../telemetry/log.ts';
import {
  createWorkerMetrics,
  type MetricsPort,
  openMetricsPort,
  type WorkerMetrics,
} from '../telemetry/worker-metrics.ts';
import { presentEvent } from '../webhooks/present-event.ts';
import { pruneEvents } from '../webhooks/prune-events.ts';
import { runWebhookSender, WEBHOOK_ATTEMPT_MS, WEBHOOK_SENDER_SETTINGS } from '../webhooks/webhook-sender.ts';
import { retryWhileDatabaseIsAway } from '../worker/work/database-away.ts';
import { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { openSigner } from '../worker/open-signer.ts';
import { runWorker } from '../worker/worker.ts';
import { runMain, startLifecycle, unlessStopping } from './lifecycle.ts';
import { listenRefusal } from './listen-port.ts';

/**
 * Wait for the servers of one batch, together: two slow pictures, since a worker leads only a few
 * tasks at once.
 */
const MAX_SERVER_WAIT_MS = 120_000;

/** Time that tasks get to end when the worker is asked to leave; nearly every photo takes less. */
const SHUTDOWN_GRACE_MS = 3000;

/** Wait for a database that starts at the same time. */
const DATABASE_START_WAIT_MS = 30_000;

const lifecycle = startLifecycle();

await runMain(lifecycle.stopping, async () => {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, name: 'worker' });
  const layout = dataDirLayout(config.dataDir);
  const storage = await openStorage(config, layout.media);
  const signer = await openSigner(config);
  const newFolder = (): string => storage.scratchPath('engine');
  // Before all else: they load their models while the database starts.
  const engines = Array.from(
    { length: config.engineSlots },
    () => new EngineProcess({ modelCacheDir: layout.models, signer, newFolder, ownsInputs: true }),
  );
  try {
    const { url, isOwn, publicUrl } = await unlessStopping(lifecycle.database(config), lifecycle.stopping);
    const onIdleError = (error: Error): void => log.warn({ err: error }, 'a database connection broke');
    const db = openDatabase(url, { poolSize: config.engineSlots + 2, onIdleError });
    await retryWhileDatabaseIsAway(DATABASE_START_WAIT_MS, () => requireDatabase(db.pool));
    const relaxedDb = openDatabase(url, { poolSize: config.engineSlots + 1, durable: false, onIdleError });
    // Its own, so that a burst of webhooks never keeps a task waiting for a connection.
    const webhookDb = openDatabase(url, { poolSize: 2, onIdleError });
    const notifications = openNotifications(url, onIdleError);
    const links = await createFileLinks(db.pool, publicUrl);
    const metrics = createWorkerMetrics();
    const metricsPort = await openMetrics(metrics, config);
    const client = createGuardedClient({ allowPrivate: config.allowPrivateUrls });
    const endedInputs = createEndedInputs({
      pool: db.pool,
      storage,
      onError: (error) =>
        log.warn({ err: error }, 'uploads of an ended task could not be deleted; the sweeper will'),
    });
    const sweeper = startSweeper({
      pool: db.pool,
      storage,
      prune: async () => {
        await pruneExpired(db);
        await pruneSignIn(db);
        await pruneUnverified(db);
        await pruneEvents(db);
      },
      onError: (error) => log.error({ err: error }, 'sweeping expired files failed'),
    });
    // An engine that cannot start at all ends the process: its sentence belongs to whoever started
    // it.
    const warm = Promise.all([notifications.connected, ...engines.map((engine) => engine.whenReady())]);
    const settings = {
      taskDeadlineMs: config.taskDeadlineMs,
      ending: { inputRetentionMs: config.inputRetentionMs, onEnded: endedInputs.discard },
      outputLifetimeMs: config.outputLifetimeMs,
      maxPixels: config.maxImagePixels,
      workersAreGone: isOwn,
      serverPatienceMs: MAX_SERVER_WAIT_MS,
      shutdownGraceMs: SHUTDOWN_GRACE_MS,
    };
    const running = runWorker(
      { db, relaxedDb, notifications, storage, client, log, metrics, engines, settings },
      lifecycle.stopping,
    );
    const sending = runWebhookSender(
      {
        db: webhookDb,
        client,
        present: (task) => presentEvent(task, links),
        log,
        random: Math.random,
        attemptMs: WEBHOOK_ATTEMPT_MS,
        notifications,
        settings: WEBHOOK_SENDER_SETTINGS,
        workersAreGone: isOwn,
      },
      lifecycle.stopping,
    );
    await Promise.race([running, warm]);
    const presence = announceWorker(relaxedDb, {
      slots: config.engineSlots,
      onError: (error) => log.warn({ err: error }, 'this worker could not say that it is there'),
    });
    lifecycle.announceReady();
    await Promise.all([running, sending]);
    await presence.stop();
    metricsPort?.close();
    await Promise.all([endedInputs.settled(), sweeper.stop()]);
    await Promise.all([
      client.close(),
      notifications.close(),
      db.close(),
      relaxedDb.close(),
      webhookDb.close(),
    ]);
    if (isOwn && !process.connected) await leaveLast(config.dataDir);
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
});

async function openMetrics(
  metrics: WorkerMetrics,
  { workerMetricsPort: port }: Config,
): Promise<MetricsPort | null> {
  if (port === null) return null;
  try {
    return await openMetricsPort(metrics, port);
  } catch (error) {
    throw listenRefusal(error as NodeJS.ErrnoException, '127.0.0.1', port, 'GUISE_WORKER_METRICS_PORT');
  }
}

/**
 * Stops the PostgreSQL of an `npm start` that was killed, if this is its last user and no new
 * service uses it.
 */
async function leaveLast(dataDir: string): Promise<void> {
  await (await openEmbedded(dataDir, { role: 'visitor' })).stop();
}
