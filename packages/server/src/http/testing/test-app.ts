import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createAccount } from '../../accounts/create-account.ts';
import { createApiKey } from '../../accounts/api-keys.ts';
import { loadConfig } from '../../config/config.ts';
import { openDatabase } from '../../db/database.ts';
import { type InstallationSecrets, openInstallationSecrets } from '../../db/installation-secrets.ts';
import { openNotifications } from '../../db/notifications.ts';
import { createTestDatabase } from '../../db/test-database.ts';
import { createMailer } from '../../mail/mailer.ts';
import { openSignIn } from '../../sign-in/open-sign-in.ts';
import { createGuardedClient } from '../../net/guarded-client.ts';
import { createEndedInputs } from '../../storage/ended-inputs.ts';
import { Engines } from '../../engines/engines.ts';
import { createFileLinks } from '../../storage/file-links.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { createLogger } from '../../telemetry/log.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { buildApp } from '../app.ts';
import type { HttpDeps } from '../common/deps.ts';

export interface TestApp {
  readonly app: FastifyInstance;
  readonly deps: HttpDeps;
  readonly secrets: InstallationSecrets;
  readonly port: number;
  readonly url: string;
  readonly mediaDir: string;
  readonly outboxDir: string;
  /** Errors of work that runs after its answer. Tests expect none. */
  readonly laterFailures: readonly unknown[];
  readonly shutdown: AbortController;
  /** Creates a verified account with credits and without a rate limit. */
  newKey(): Promise<{ accountId: string; apiKey: string }>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly patienceMs?: number;
  /** Opens another storage than the one configured by `env`. */
  readonly openMedia?: typeof openStorage;
}

/**
 * Starts the real app with a real database, a real folder (unless `env` names a bucket) and a free
 * port, without a worker.
 */
export async function startTestApp(
  env: NodeJS.ProcessEnv = {},
  { patienceMs = 60_000, openMedia = openStorage }: TestAppOptions = {},
): Promise<TestApp> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'guise-http-'));
  const database = await createTestDatabase();
  const readDatabase = openDatabase(database.url, { poolSize: 10, durable: false });
  const notifications = openNotifications(database.url);
  const shutdown = new AbortController();
  const config = loadConfig({ GUISE_DATA_DIR: root, ...env });
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outboxDir: path.join(root, 'outbox'),
  });
  const laterFailures: unknown[] = [];
  const storage = await openMedia(config, path.join(root, 'media'));
  const endedInputs = createEndedInputs({
    pool: database.db.pool,
    storage,
    onError: (error) => laterFailures.push(error),
  });
  const secrets = await openInstallationSecrets({
    pool: database.db.pool,
    notifications,
    onError: (error) => laterFailures.push(error),
  });
  const log = createLogger({ level: 'silent', name: 'test' });
  const deps: HttpDeps = {
    config,
    engines: new Engines({ db: readDatabase, config, log }),
    database: database.db,
    readDatabase,
    notifications,
    storage,
    links: createFileLinks(secrets['file-links'], config.publicUrl),
    signIn: openSignIn({
      db: database.db,
      secrets,
      config,
      mailer,
      onError: (error) => laterFailures.push(error),
    }),
    client: createGuardedClient({ allowPrivate: config.allowPrivateUrls }),
    ending: { inputRetentionMs: config.inputRetentionMs, onEnded: endedInputs.discard },
    log,
    metrics: createMetrics(),
    patienceMs,
    isDashboardSettled: () => true,
    shutdown: shutdown.signal,
  };
  const app = await buildApp(deps);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  let accounts = 0;
  return {
    app,
    deps,
    secrets,
    port,
    url: `http://127.0.0.1:${port}`,
    mediaDir: path.join(root, 'media'),
    outboxDir: path.join(root, 'outbox'),
    laterFailures,
    shutdown,
    async newKey() {
      const account = await createAccount(database.db, {
        email: `http-${accounts++}@example.com`,
        plan: 'enterprise',
        emailVerified: true,
        startingCredits: 300,
      });
      const { secret } = await createApiKey(database.db.pool, account.id, 'test');
      return { accountId: account.id, apiKey: secret };
    },
    async close() {
      await app.close();
      await endedInputs.settled();
      mailer.close();
      secrets.close();
      await deps.client.close();
      await notifications.close();
      await readDatabase.close();
      await database.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
