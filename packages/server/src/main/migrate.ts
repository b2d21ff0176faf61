/**
 * Brings the shared database's schema up to date and ends: for deployments that do so before they
 * start anything.
 */
import { loadConfig } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { requireDatabase } from '../db/require-database.ts';
import { runMain, startLifecycle } from './lifecycle.ts';

const lifecycle = startLifecycle();

await runMain(lifecycle.stopping, async () => {
  const { url } = await lifecycle.database(loadConfig());
  const db = openDatabase(url, { poolSize: 1 });
  try {
    await requireDatabase(db.pool);
    const ran = await migrate(db);
    process.stdout.write(ran.length === 0 ? 'The schema is up to date.\n' : `Ran ${ran.join(', ')}.\n`);
  } finally {
    await db.close();
  }
});
