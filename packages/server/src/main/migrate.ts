/**
 * Migrates the shared database's schema and exits. For deployments that migrate before they start
 * any process.
 */
import { loadConfig } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { requireDatabase } from '../db/require-database.ts';
import { runMain, startLifecycle } from './lifecycle.ts';

const lifecycle = startLifecycle();

await runMain(lifecycle.stopping, async () => {
  const config = loadConfig();
  const { directUrl } = await lifecycle.database(config);
  await using db = openDatabase(directUrl, { poolSize: 1, statementTimeoutMs: 0 });
  await requireDatabase(db.pool, config.databaseDirectUrl === null ? undefined : 'DATABASE_DIRECT_URL');
  const ran = await migrate(db);
  process.stdout.write(ran.length === 0 ? 'The schema is up to date.\n' : `Ran ${ran.join(', ')}.\n`);
});
