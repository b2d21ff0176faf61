/**
 * The API process, which serves HTTP and does no image processing. `npm start` forks it, or an
 * operator runs it alone with a shared database.
 */
import { canLoadNodeAv, NO_NODE_AV } from '@guise/media/video/node-av.ts';
import { loadConfig } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';
import { rememberServedUrl } from '../config/served-url.ts';
import { openDatabase } from '../db/database.ts';
import { openNotifications } from '../db/notifications.ts';
import { requireDatabase, requireDirect } from '../db/require-database.ts';
import { buildApp } from '../http/app.ts';
import { createGuardedClient } from '../net/guarded-client.ts';
import { createEndedInputs } from '../storage/ended-inputs.ts';
import { openInstallationSecrets } from '../db/installation-secrets.ts';
import { Engines } from '../engines/engines.ts';
import { createFileLinks } from '../storage/file-links.ts';
import { openStorage } from '../storage/open-storage.ts';
import { createMailer } from '../mail/mailer.ts';
import { openSignIn } from '../sign-in/open-sign-in.ts';
import { createLogger } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { runMain, startLifecycle, unlessStopping, untilStopping } from './lifecycle.ts';
import { findListenPort } from './listen-port.ts';

/** Number of connections in each of the two database pools. */
const POOL_SIZE = 10;

/**
 * Longest time that a request waits for short work before it gets 503 `BUSY`
 * (docs/spec/details#busy).
 */
const SHORT_WORK_WAIT_MS = 60_000;

const lifecycle = startLifecycle();

await runMain(lifecycle.stopping, async () => {
  const ownConfig = loadConfig();
  const address = await unlessStopping(lifecycle.database(ownConfig), lifecycle.stopping);
  // Finds the real port, even if the operator set 0, because links contain the port.
  const port = await findListenPort(ownConfig.host, address.port);
  const config = loadConfig({ ...process.env, PORT: String(port) });
  const log = createLogger({ level: config.logLevel, name: 'api' });
  const onIdleError = (error: Error): void => log.warn({ err: error }, 'a database connection broke');
  const { url, directUrl, isPooled } = address;
  const database = openDatabase(url, { poolSize: POOL_SIZE, isPooled, onIdleError });
  await requireDatabase(database.pool);
  await requireDirect(address);
  const readDatabase = openDatabase(url, { poolSize: POOL_SIZE, isPooled, durable: false, onIdleError });
  const client = createGuardedClient({ allowPrivate: config.allowPrivateUrls });
  const notifications = openNotifications(directUrl, onIdleError);
  const layout = dataDirLayout(config.dataDir);
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outboxDir: layout.outbox,
  });
  const storage = await openStorage(config, layout.media);
  const endedInputs = createEndedInputs({
    pool: database.pool,
    storage,
    onError: (error) =>
      log.warn({ err: error }, 'uploads of an ended task could not be deleted; the sweeper will'),
  });
  const secrets = await openInstallationSecrets({
    pool: database.pool,
    notifications,
    onError: (error) =>
      log.warn({ err: error }, 'could not reload the secrets; guise continues with those that it has'),
  });
  try {
    const app = await buildApp({
      config,
      engines: new Engines({ db: readDatabase, config, log }),
      database,
      readDatabase,
      notifications,
      storage,
      links: createFileLinks(secrets['file-links'], config.publicUrl),
      signIn: openSignIn({
        db: database,
        secrets,
        config,
        mailer,
        onError: (error, what) => log.error({ err: error }, `${what} failed after its answer`),
      }),
      client,
      ending: { inputRetentionMs: config.inputRetentionMs, onEnded: endedInputs.discard },
      log,
      metrics: createMetrics(),
      patienceMs: SHORT_WORK_WAIT_MS,
      isDashboardSettled: lifecycle.isDashboardSettled,
      shutdown: lifecycle.stopping,
    });
    await notifications.connected;
    await app.listen({ host: config.host, port });
    await rememberServedUrl(config);
    lifecycle.announceReady();
    if (!(await canLoadNodeAv())) log.warn(`videos will be refused. ${NO_NODE_AV}`);
    await untilStopping(lifecycle.stopping);
    await app.close();
    await endedInputs.settled();
  } finally {
    mailer.close();
    secrets.close();
    await Promise.all([client.close(), notifications.close(), database.close(), readDatabase.close()]);
  }
});
