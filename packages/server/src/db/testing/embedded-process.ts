/**
 * A process for embedded.test.ts to kill: opens the database in argv[2] in the role argv[3] and
 * commits row after row.
 */
import { openDatabase } from '../database.ts';
import { openEmbedded } from '../embedded.ts';

const [dataDir = '', role = ''] = process.argv.slice(2);
const server = await openEmbedded(dataDir, { role: role === 'service' ? 'service' : 'visitor' });
const db = openDatabase(server.url, { poolSize: 1 });
// In one transaction: of two that make a table at once, the one that has not seen the other's would
// fail.
await db.pool.query(
  `select pg_advisory_xact_lock(hashtext('commits'));
   create table if not exists commits (n bigint primary key)`,
);
process.stdout.write(`url ${server.url}\n`);
const { rows } = await db.pool.query('select coalesce(max(n), 0) as n from commits');
for (let n: number = rows[0].n + 1; ; n++) {
  await db.pool.query({ name: 'commit', text: 'insert into commits values ($1)', values: [n] });
  // Only acknowledged rows are reported.
  process.stdout.write(`${n}\n`);
}
