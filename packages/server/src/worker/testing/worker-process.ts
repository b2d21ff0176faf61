/**
 * A worker process that tests can kill. It has two scripted engines, one of them for long work.
 * Arguments: URL of the database, folder of the media, version of the engines.
 */
import { openDatabase } from '../../db/database.ts';
import { openNotifications } from '../../db/notifications.ts';
import { createGuardedClient } from '../../net/guarded-client.ts';
import { heldNetworks } from '../../networks/testing/test-networks.ts';
import { LocalStorage } from '../../storage/local-storage.ts';
import { LanePace } from '../../tasks/queue/lane-pace.ts';
import { createLogger } from '../../telemetry/log.ts';
import { createWorkerMetrics } from '../../telemetry/worker-metrics.ts';
import { runWorker } from '../worker.ts';
import { scriptedEngine, TEST_SECRET, TEST_SETTINGS } from './scripted-worker.ts';

const [url = '', mediaDir = '', version = ''] = process.argv.slice(2);
const engines = [scriptedEngine(version), scriptedEngine(version)];
await Promise.all(engines.map((engine) => engine.whenReady()));
process.stdout.write('ready\n');
await runWorker(
  {
    db: openDatabase(url, { poolSize: 4 }),
    relaxedDb: openDatabase(url, { poolSize: 4, durable: false }),
    notifications: openNotifications(url),
    storage: await LocalStorage.open(mediaDir),
    client: createGuardedClient({ allowPrivate: true }),
    log: createLogger({ level: 'silent', name: 'test' }),
    metrics: createWorkerMetrics(),
    pace: new LanePace(),
    secret: TEST_SECRET,
    engines,
    networks: heldNetworks(),
    settings: { ...TEST_SETTINGS, ending: { inputRetentionMs: 0 } },
  },
  new AbortController().signal,
);
