/**
 * A process that embedded.test.ts can kill: opens the database in argv[2] in the role argv[3] and
 * commits one row after the other.
 */
import { openDatabase } from '../database.ts';
import { openEmbedded } from '../embedded.ts';

const [dataDir = '', role = ''] = process.argv.slice(2);
const server = await openEmbedded(dataDir, { role: role === 'service' ? 'service' : 'visitor' });
const db = openDatabase(server.url, { poolSize: 1 });
// The lock is needed because two processes that create the same table at once can fail.
await db.pool.query(
  `select pg_advisory_xact_lock(hashtext('commits'));
   create table if not exists commits (n bigint primary key)`,
);
process.stdout.write(`url ${server.url}\n`);
const { rows } = await db.pool.query('select coalesce(max(n), 0) as n from commits');
for (let n: number = rows[0].n + 1; ; n++) {
  await db.pool.query({ name: 'commit', text: 'insert into commits values ($1)', values: [n] });
  // Only rows whose commit was acknowledged are reported.
  process.stdout.write(`${n}\n`);
}
