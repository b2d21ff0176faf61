/**
 * The worker process, which claims tasks and runs the engine. `npm start` forks it, or an operator
 * runs it alone with a shared database.
 */
import os from 'node:os';
import { type Config, loadConfig } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';
import { openDatabase } from '../db/database.ts';
import { openEmbedded } from '../db/embedded.ts';
import { openNotifications } from '../db/notifications.ts';
import { requireDatabase, requireDirect } from '../db/require-database.ts';
import type { SigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { createModerator, MODERATION_POLICY } from '../moderation/moderator.ts';
import { createGuardedClient } from '../net/guarded-client.ts';
import { followIdentity } from '../signing/follow-identity.ts';
import { installationIdentity } from '../signing/installation-signing.ts';
import { checkSigning } from '../signing/prepare-signing.ts';
import { createEndedInputs } from '../storage/ended-inputs.ts';
import { openInstallationSecrets } from '../db/installation-secrets.ts';
import { createFileLinks } from '../storage/file-links.ts';
import { openStorage } from '../storage/open-storage.ts';
import { startSweeper } from '../storage/sweeper.ts';
import { Blocklist } from '../blocklist/blocklist.ts';
import { clearWithdrawn } from '../faces/withdraw-face.ts';
import { pruneUnverified } from '../accounts/prune-unverified.ts';
import { pruneSignIn } from '../sign-in/throttle.ts';
import { pruneExpired } from '../tasks/prune.ts';
import { workingHardware } from '../worker/work/working-hardware.ts';
import { HeldNetworks, workingProviders } from '../networks/held-networks.ts';
import { NetworkStore } from '../networks/network-store.ts';
import { recordNetwork } from '../operator/record-network.ts';
import { LanePace } from '../tasks/queue/lane-pace.ts';
import { timeStamperOf } from '../signing/time-stamper.ts';
import { announceWorker } from '../tasks/queue/worker-presence.ts';
import { createLogger } from '../telemetry/log.ts';
import { openStatusPort, type StatusPort, type StatusPortOptions } from '../telemetry/status-port.ts';
import { createWorkerMetrics } from '../telemetry/worker-metrics.ts';
import { presentEvent } from '../webhooks/present-event.ts';
import { recordBlockedFace } from '../operator/record-blocked-face.ts';
import { BlockedFaces } from '../worker/blocked/blocked-faces.ts';
import { pruneEvents } from '../webhooks/prune-events.ts';
import { runWebhookSender, WEBHOOK_ATTEMPT_MS, WEBHOOK_SENDER_SETTINGS } from '../webhooks/webhook-sender.ts';
import { retryWhileDatabaseIsAway } from '../db/retry-while-away.ts';
import { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { signerOf } from '../worker/open-signer.ts';
import { runWorker } from '../worker/worker.ts';
import { runMain, startLifecycle, unlessStopping } from './lifecycle.ts';
import { listenRefusal } from './listen-port.ts';

/**
 * Longest total time that one batch waits for other servers: enough for two slow pictures. The
 * limit is short, because a worker leads only a few tasks at once.
 */
const MAX_SERVER_WAIT_MS = 120_000;

/**
 * Time that running tasks get to finish when the worker is asked to stop. Nearly every photo needs
 * less.
 */
const SHUTDOWN_GRACE_MS = 3000;

/** Time for which engines wait for work before they start. A burst after it finds all of them. */
const SPARE_START_MS = 10_000;

/** Longest wait for a database that is starting at the same time as the worker. */
const DATABASE_START_WAIT_MS = 30_000;

const lifecycle = startLifecycle();

await runMain(lifecycle.stopping, async () => {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, name: 'worker' });
  const layout = dataDirLayout(config.dataDir);
  const storage = await openStorage(config, layout.media);
  // Errors in the signing settings are reported before anything else starts.
  await checkSigning(config);
  const identity = Promise.withResolvers<SigningIdentity>();
  const stamp = timeStamperOf(config.timeStampUrl, (reason) => log.warn(reason));
  let signer = signerOf(identity.promise, stamp);
  const newFolder = (): string => storage.scratch.newPath('engine');
  // The first engine loads its models while the database starts. The others would slow down its
  // first tasks, so they start when their slots need them.
  const engines: EngineProcess[] = [];
  for (let slot = 0; slot < config.engineSlots; slot++) {
    engines.push(
      new EngineProcess({
        modelCacheDir: layout.models,
        currentSigner: () => signer,
        newFolder,
        ownsInputs: true,
        startsOnDemand: slot > 0,
      }),
    );
  }
  try {
    const address = await unlessStopping(lifecycle.database(config), lifecycle.stopping);
    const { url, directUrl, isPooled, isOwn, publicUrl } = address;
    const onIdleError = (error: Error): void => log.warn({ err: error }, 'a database connection broke');
    const db = openDatabase(url, { poolSize: config.engineSlots + 2, isPooled, onIdleError });
    await retryWhileDatabaseIsAway(DATABASE_START_WAIT_MS, () => requireDatabase(db.pool));
    await requireDirect(address);
    const onReplaced = (keptIn: string): void =>
      log.warn(
        `the signing key of this machine was moved to ${keptIn}: every machine signs with the key in the database. ` +
          'To use the moved key instead, set GUISE_SIGNING_CERTIFICATE and GUISE_SIGNING_KEY on every machine.',
      );
    identity.resolve(await installationIdentity(config, db.pool, onReplaced));
    const relaxedDb = openDatabase(url, {
      poolSize: config.engineSlots + 1,
      isPooled,
      durable: false,
      onIdleError,
    });
    // Webhooks have their own pool, so that tasks never wait for a connection because of many
    // webhooks.
    const webhookDb = openDatabase(url, { poolSize: 2, isPooled, onIdleError });
    const notifications = openNotifications(directUrl, onIdleError);
    const secrets = await openInstallationSecrets({
      pool: db.pool,
      notifications,
      onError: (error) =>
        log.warn({ err: error }, 'could not reload the secrets; guise continues with those that it has'),
    });
    const signing = followIdentity({
      config,
      pool: db.pool,
      notifications,
      identity: await identity.promise,
      onChanged: (changed) => (signer = signerOf(Promise.resolve(changed), stamp)),
      onError: (error) => log.warn({ err: error }, 'the signing key could not be read again'),
    });
    const links = createFileLinks(secrets['file-links'], publicUrl);
    const metrics = createWorkerMetrics();
    const pace = new LanePace();
    const networks = new HeldNetworks({
      store: new NetworkStore(layout.networks),
      findProviders: () =>
        workingProviders(
          config.executionProviders,
          (providers) => engines[0]!.run({ kind: 'try-providers', providers }),
          (provider, problem, instead) =>
            log.warn(`${provider} does not work here, so networks run on ${instead}: ${problem}`),
        ),
      onFound: ({ id, protocol, sha256, rightConfirmedBy, addedAt }) => {
        log.info({ network: id, protocol }, 'a network was found');
        const added = { network: id, protocol, sha256, rightConfirmedBy, addedAt, host: os.hostname() };
        recordNetwork(db, added).catch((error: unknown) =>
          log.warn({ err: error, network: id }, 'the audit log does not say that this network was added'),
        );
      },
      onUnusable: (error, network) => log.error({ err: error, network }, 'a network cannot be used'),
      onUnreadable: (error) => log.error({ err: error }, 'the networks of this machine cannot be read'),
    });
    const videoHardware = workingHardware(
      config.videoHardware,
      (hardware) => engines[0]!.run({ kind: 'try-video-hardware', hardware }),
      (hardware, problem) => log.warn(`${hardware} does not encode here: ${problem}`),
    );
    // A slot that waits for it reports the error.
    videoHardware.then(
      (found) => found && log.info(`${found.hardware} encodes videos`),
      () => undefined,
    );
    let isReady = false;
    const statusPort = await openStatus(config, {
      registry: metrics.registry,
      isReady: () => isReady && !lifecycle.stopping.aborted,
    });
    const client = createGuardedClient({ allowPrivate: config.allowPrivateUrls });
    const moderationClient = createGuardedClient(MODERATION_POLICY);
    const moderate =
      config.moderation === null
        ? undefined
        : createModerator({ ...config.moderation, client: moderationClient, links, log });
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
        await clearWithdrawn({ database: db, storage, onEnded: endedInputs.discard });
      },
      onError: (error) => log.error({ err: error }, 'sweeping expired files failed'),
    });
    // If the first engine cannot start, the process ends with the engine's error, so that the
    // operator sees it. The slots of the others log such errors and try again.
    const opened = Promise.all([notifications.connected, engines[0]!.whenOpened()]);
    const settings = {
      taskDeadlineMs: config.taskDeadlineMs,
      ending: { inputRetentionMs: config.inputRetentionMs, onEnded: endedInputs.discard },
      outputLifetimeMs: config.outputLifetimeMs,
      maxPixels: config.maxImagePixels,
      label: config.label,
      watermark: config.watermark,
      workersAreGone: isOwn,
      serverPatienceMs: MAX_SERVER_WAIT_MS,
      shutdownGraceMs: SHUTDOWN_GRACE_MS,
      spareStartMs: SPARE_START_MS,
    };
    const running = runWorker(
      {
        db,
        relaxedDb,
        notifications,
        storage,
        client,
        log,
        metrics,
        pace,
        secret: secrets['file-links'],
        engines,
        networks,
        videoHardware,
        moderate,
        blockedFaces: new BlockedFaces(
          new Blocklist(db.pool, config, config.blocklistDistance),
          config.maxImagePixels,
          (refused) => recordBlockedFace(db, refused),
        ),
        settings,
      },
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
    await Promise.race([running, opened]);
    const presence = announceWorker(relaxedDb, {
      slots: config.engineSlots,
      pace,
      networks,
      onError: (error) => log.warn({ err: error }, 'this worker could not record that it is alive'),
    });
    isReady = true;
    lifecycle.announceReady();
    if (!isOwn) log.info({ engineSlots: config.engineSlots }, 'worker ready');
    await Promise.all([running, sending]);
    await presence.stop();
    statusPort?.close();
    secrets.close();
    signing.close();
    await Promise.all([endedInputs.settled(), sweeper.stop()]);
    await Promise.all([
      client.close(),
      moderationClient.close(),
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

/** Opens the port for health and metrics. Returns null if the operator has turned it off. */
async function openStatus(
  config: Config,
  options: Pick<StatusPortOptions, 'registry' | 'isReady'>,
): Promise<StatusPort | null> {
  if (config.workerStatus === null) return null;
  const { host, port } = config.workerStatus;
  try {
    return await openStatusPort({ ...options, host, port, tokens: config });
  } catch (error) {
    throw listenRefusal(
      error as NodeJS.ErrnoException,
      host,
      port,
      'GUISE_WORKER_METRICS_PORT',
      'GUISE_WORKER_METRICS_HOST',
    );
  }
}

/**
 * Stops the bundled PostgreSQL after `npm start` was killed, if this worker is its last user and no
 * new service uses it.
 */
async function leaveLast(dataDir: string): Promise<void> {
  await (await openEmbedded(dataDir, { role: 'visitor' })).stop();
}
