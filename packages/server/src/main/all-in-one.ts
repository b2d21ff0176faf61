/**
 * Runs PostgreSQL, the API process and the worker process until stopped. `npm start` runs this
 * file.
 */
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { DASHBOARD_DIST, ensureDashboardBuilt } from '@guise/dashboard/ensure-dashboard-built.ts';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import { loadConfig, type Config } from '../config/config.ts';
import { dataDirLayout } from '../config/data-dir.ts';
import { INSTALLATION } from '../config/installation.ts';
import { openDatabase, type Database } from '../db/database.ts';
import { openEmbedded, type EmbeddedPostgres } from '../db/embedded.ts';
import { closeToOthers, makeDataDir } from '../db/private-folder.ts';
import { requireDatabase } from '../db/require-database.ts';
import { createLogger } from '../telemetry/log.ts';
import { checkSigning } from '../signing/prepare-signing.ts';
import { findOrCreateOwner, welcome } from './first-start.ts';
import { databaseAddress, runMain, unlessStopping, untilStopping } from './lifecycle.ts';
import { findListenPort } from './listen-port.ts';
import type { DatabaseMessage, News } from './service-message.ts';
import { SupervisedProcess } from './supervised-process.ts';
import { whenParentGoes } from './when-parent-goes.ts';

/** Time limit for the API's open requests at a stop, and then again for the worker's tasks. */
const STOP_LIMIT_MS = 10_000;
/**
 * A second signal within this time counts as the same Ctrl-C, because both the terminal and npm
 * forward the signal.
 */
const SIGNAL_ECHO_MS = 1000;
const isFromNpm = ['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '');
const stopping = new AbortController();
const children: SupervisedProcess[] = [];
let askedToStopMs = -Infinity;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onStopSignal);
// The program that forked this service has ended or was killed, so nobody else would stop the
// service.
process.on('disconnect', () => stopping.abort());
// The parent of this process is the npm of `npm start`, whose script begins with exec, or the shell
// of `npx guise start`. A killed npm forwards no signal, and such a shell never does.
if (isFromNpm) whenParentGoes(() => stopping.abort());

await runMain(stopping.signal, async () => {
  let embedded: EmbeddedPostgres | null = null;
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, name: 'main' });
  const { media, signing, outbox, models } = dataDirLayout(config.dataDir);
  if (process.stdout.isTTY)
    process.stdout.write(startLine(config.dataDir, INSTALLATION.kind !== 'clone' || existsSync(models)));
  makeDataDir(config.dataDir);
  for (const dir of [media, signing, outbox]) closeToOthers(dir);
  // The worker checks this too. This earlier check makes an unusable certificate the only error
  // that is shown.
  await checkSigning(config);

  const database = Promise.withResolvers<DatabaseMessage>();
  const startProcess = (name: string, news: readonly Promise<News>[]): SupervisedProcess => {
    const child = new SupervisedProcess({
      name,
      script: path.join(import.meta.dirname, `${name}.ts`),
      env: { NODE_COMPILE_CACHE: getCompileCacheDir(), ...process.env },
      news,
      log: (line) => log.warn(line),
    });
    children.push(child);
    return child;
  };

  let worker: SupervisedProcess | undefined;
  let api: SupervisedProcess | undefined;
  let dashboard: Promise<void> | undefined;
  const leaving = new AbortController();
  try {
    // These steps are slow and independent, so they run at the same time: the engines load (and
    // make) their models while the database starts.
    const opening = config.databaseUrl === null ? openOwnDatabase(config) : Promise.resolve(null);
    worker = startProcess('worker', [database.promise]);
    dashboard = buildDashboard(config, AbortSignal.any([stopping.signal, leaving.signal]));
    const dashboardSettled = dashboard.then(() => ({ type: 'dashboard-settled' }) as const);
    api = startProcess('server', [database.promise, dashboardSettled]);
    // If the same service is already running, this reports it as the reason. The port would be
    // taken, too.
    embedded = await opening;
    // The port is chosen only now, because another program could have taken it while the database
    // started.
    const port = await findListenPort(config.host, config.port);
    const { publicUrl } = loadConfig({ ...process.env, PORT: String(port) });
    const address = databaseAddress(config, embedded?.url ?? config.databaseUrl!);
    const welcomeText = await withDatabase(address.directUrl, async (db) => {
      if (embedded === null) {
        const isDirect = config.databaseDirectUrl !== null;
        await requireDatabase(db.pool, isDirect ? 'DATABASE_DIRECT_URL' : undefined);
      }
      // The library that migrates loads slowly, so it loads while the other processes start.
      const { migrate } = await import('../db/migrate.ts');
      await migrate(db);
      const owner = await findOrCreateOwner(db, config.ownerEmail);
      database.resolve({ type: 'database', ...address, isOwn: embedded !== null, port, publicUrl });
      await unlessStopping(Promise.all([api!.whenReady(), worker!.whenReady(), dashboard]), stopping.signal);
      process.stdout.write(`guise ready at ${publicUrl}\n`);
      return welcome(db, { owner, publicUrl, isTerminal: process.stdout.isTTY });
    });
    process.stdout.write(welcomeText);
    await untilStopping(stopping.signal);
  } finally {
    leaving.abort();
    await dashboard;
    await api?.stop(STOP_LIMIT_MS);
    await worker?.stop(STOP_LIMIT_MS);
    await embedded?.stop();
  }

  /**
   * Builds the dashboard, unless the operator has named another folder. The service works without a
   * dashboard.
   */
  async function buildDashboard({ dashboardDir }: Config, ending: AbortSignal): Promise<void> {
    if (dashboardDir !== DASHBOARD_DIST) return;
    try {
      await ensureDashboardBuilt(ending);
    } catch (error) {
      if (ending.aborted) return;
      log.warn(
        { err: error },
        'the dashboard could not be built: the service runs without it until `npm run build` succeeds',
      );
    }
  }

  function openOwnDatabase({ dataDir }: Config): Promise<EmbeddedPostgres> {
    return openEmbedded(dataDir, {
      role: 'service',
      onLost: (error) => {
        log.fatal({ err: error }, 'PostgreSQL is lost');
        process.exitCode = 1;
        stopping.abort();
      },
    });
  }
});

/** Returns the line that a person reads while the service starts. */
function startLine(dataDir: string, hasModels: boolean): string {
  const first = hasModels ? '' : ' The first start makes the models, which takes up to a minute.';
  return `Starting guise ${GUISE_VERSION}, data in ${dataDir}.${first}\n`;
}

async function withDatabase<T>(url: string, use: (db: Database) => Promise<T>): Promise<T> {
  // Migrations of a large database may take long.
  await using db = openDatabase(url, { poolSize: 1, statementTimeoutMs: 0 });
  return await use(db);
}

/**
 * The first signal stops the service gently, the second at once. No accepted task is lost: the next
 * start continues it.
 */
function onStopSignal(): void {
  const nowMs = performance.now();
  if (!stopping.signal.aborted) {
    askedToStopMs = nowMs;
    stopping.abort();
  } else if (nowMs - askedToStopMs > SIGNAL_ECHO_MS) {
    for (const child of children) child.kill();
    process.exit(1);
  }
}
