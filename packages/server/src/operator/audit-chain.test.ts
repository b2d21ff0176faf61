import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createAccount } from '../accounts/create-account.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { inTransaction } from '../db/transaction.ts';
import { COMMAND_LINE, type Operator, writeAudit } from './audit.ts';
import { type ChainedEntry, type ChainReport, checkChain, parseEntry } from './audit-chain.ts';
import { readChain, readHead } from './read-chain.ts';

/** Statement of version 0.2.0, which knows no hashes. */
const OLD_INSERT = `insert into operator_actions (operator_id, operator_email, action, account_id, account_email, details)
  values ($1, $2, $3, $4, $5, $6)`;

let t: TestDatabase;
let db: Database;
before(async () => {
  t = await createTestDatabase();
  ({ db } = t);
});
after(() => t.close());
beforeEach(begin);

/** Runs a statement as somebody who may turn the triggers off. */
async function forge(statement: string): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    await client.query('alter table operator_actions disable trigger user');
    await client.query(statement);
    await client.query('alter table operator_actions enable trigger user');
  });
}

async function check(): Promise<ChainReport> {
  return checkChain(readChain(db), await readHead(db));
}

async function exported(): Promise<string[]> {
  const lines = [];
  for await (const entry of readChain(db)) lines.push(JSON.stringify(entry));
  return lines;
}

function checkExport(lines: readonly string[]): Promise<ChainReport> {
  const entries = async function* (): AsyncGenerator<ChainedEntry> {
    for (const line of lines) yield parseEntry(line)!;
  };
  return checkChain(entries(), null);
}

async function write(count: number): Promise<void> {
  for (let credits = 1; credits <= count; credits += 1)
    await writeAudit(db.pool, COMMAND_LINE, null, {
      action: 'credits.change',
      details: { credits, note: 'für\n"Ann" \u{1F600}', rate: 1.5, none: null },
    });
}

async function newOperator(name: string): Promise<Operator & { readonly id: string }> {
  const email = `${name}@example.com`;
  const { id } = await createAccount(db, { email, plan: 'free', emailVerified: true, startingCredits: 0 });
  return { id, email };
}

/** SQL that changes an entry and makes its hash anew. */
function rewritten(id: number): string {
  return `update operator_actions o
    set details = made.details, salts = made.salts, seals = made.seals, hash = made.hash
    from operator_actions p, chained_entry(jsonb_populate_record(p, '{"details": {}}'), p.previous_hash) made
    where p.id = ${id} and o.id = p.id`;
}

/** Empties the log. */
async function begin(): Promise<void> {
  await forge('truncate operator_actions');
  await db.pool.query(`update audit_head set entry_id = 0, hash = repeat('0', 64)`);
}

test('entries are a chain, in the order of their ids, also those of a version without hashes', async () => {
  assert.deepEqual(
    [(await check()).intact, (await check()).newest],
    [true, { id: 0, hash: '0'.repeat(64) }],
    'an empty log',
  );
  const { id, email } = await newOperator('olaf');
  await write(1);
  await db.pool.query(OLD_INSERT, [id, email, 'key.create', id, email, '{"name": "laptop"}']);
  await db.pool.query(
    `insert into operator_actions (operator_email, action, details)
     select 'command line', 'note', jsonb_build_object('n', n) from generate_series(1, 3) n`,
  );
  const { newest, ...report } = await check();
  assert.deepEqual(report, { intact: true, entries: 5, forgotten: 0, problem: null });
  assert.deepEqual(newest, await readHead(db));
  assert.equal(newest.id, 5);
});

test('entries of before the migration are chained in the order of their ids', async () => {
  const older = await createTestDatabase();
  try {
    await older.db.pool.query('drop schema public cascade; create schema public');
    await migrate(older.db, { upTo: '000020_watermarks' });
    for (const action of ['one', 'two', 'three'])
      await older.db.pool.query(OLD_INSERT, [null, 'command line', action, null, null, '{"email": "a@b.c"}']);
    await older.db.pool.query(`delete from operator_actions where action = 'two'`);
    await migrate(older.db);
    await older.db.pool.query(OLD_INSERT, [null, 'command line', 'four', null, null, '{}']);
    const { newest, ...report } = await checkChain(readChain(older.db), await readHead(older.db));
    assert.deepEqual(report, { intact: true, entries: 3, forgotten: 0, problem: null });
    assert.equal(newest.id, 4);
  } finally {
    await older.close();
  }
});

test('entries can neither be changed nor deleted', async () => {
  const { id, email } = await newOperator('rita');
  await writeAudit(
    db.pool,
    { id, email },
    { id, email },
    {
      action: 'invitation.create',
      details: { id: 1, email: 'x@example.com', plan: 'pro' },
    },
  );
  for (const change of [
    `action = 'plan.set'`,
    `details = '{}'`,
    `details = details - 'plan'`,
    `details = details || '{"email": null}'`,
    `account_email = 'other@example.com'`,
    `account_email = null, action = 'plan.set'`,
    `operator_email = 'command line'`,
    `operator_email = 'deleted-00000000'`,
    `operator_id = null, operator_email = 'command line'`,
    `created_at = now()`,
    `id = default`,
    `salts = '{}'`,
    `seals = '{}'`,
    `hash = null`,
  ])
    await assert.rejects(db.pool.query(`update operator_actions set ${change}`), /append-only/, change);
  await assert.rejects(db.pool.query('delete from operator_actions'), /append-only/);
  await assert.rejects(db.pool.query('truncate operator_actions'), /append-only/);
  assert.equal((await check()).forgotten, 0);
  assert(!(await exported())[0]!.includes('deleted-'));
});

test('a change, a removal and an exchange are told, though the triggers were off', async () => {
  for (const [statement, kind, entry, entries] of [
    [`update operator_actions set details = details || '{"credits": 9}' where id = 3`, 'changed', 3, 2],
    [`update operator_actions set operator_email = 'deleted-ann' where id = 3`, 'changed', 3, 2],
    [
      `update operator_actions set created_at = created_at + interval '1 microsecond' where id = 1`,
      'changed',
      1,
      0,
    ],
    [`update operator_actions set salts = null, seals = null, hash = null where id = 4`, 'changed', 4, 3],
    ['delete from operator_actions where id = 1', 'missing before', 2, 0],
    ['delete from operator_actions where id in (2, 3)', 'missing before', 4, 1],
    ['delete from operator_actions where id > 3', 'missing after', 3, 3],
    ['delete from operator_actions', 'missing after', 0, 0],
    [
      `with two as (select * from operator_actions where id in (2, 3))
       update operator_actions o set action = two.action, details = two.details, created_at = two.created_at,
         salts = two.salts, seals = two.seals, hash = two.hash, previous_hash = two.previous_hash
       from two where o.id = 5 - two.id and o.id in (2, 3)`,
      'changed',
      2,
      1,
    ],
    [rewritten(4), 'missing before', 5, 4],
    [rewritten(5), 'changed', 5, 4],
  ] as const) {
    await begin();
    await write(5);
    await forge(statement);
    const report = await check();
    assert.deepEqual([report.intact, report.entries], [false, entries], statement);
    assert.deepEqual(report.problem, { kind, entry }, statement);
  }
});

test('an export verifies by itself, a changed one does not', async () => {
  await write(4);
  const lines = await exported();
  assert.deepEqual(await checkExport(lines), await check());
  const [one, two, three, four] = lines as [string, string, string, string];
  assert.deepEqual((await checkExport([one, two.replace('command line', 'rita'), three, four])).problem, {
    kind: 'changed',
    entry: 2,
  });
  assert.deepEqual((await checkExport([one, three, four])).problem, { kind: 'missing before', entry: 3 });
  assert.deepEqual((await checkExport([one, three, two, four])).problem, {
    kind: 'missing before',
    entry: 3,
  });
  assert.equal(parseEntry(one.replace('{', '{"note":"true",')), null, 'a field that no hash covers');
  for (const line of ['', 'null', '[]', '{}', one.slice(1)]) assert.equal(parseEntry(line), null, line);
});

test('two writers at once do not fork the chain: the second waits for the end of the first', async () => {
  const first = await db.pool.connect();
  try {
    await first.query('begin');
    await first.query(OLD_INSERT, [null, 'first', 'one', null, null, '{}']);
    const second = db.pool.query(OLD_INSERT, [null, 'second', 'two', null, null, '{}']);
    for (let waiting = 0; waiting === 0;) {
      const { rows } = await db.pool.query<{ count: number }>(
        `select count(*) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into operator_actions%'`,
      );
      waiting = rows[0]!.count;
    }
    await first.query('commit');
    await second;
  } finally {
    first.release();
  }
  const lines = await exported();
  assert.deepEqual(
    lines.map((line) => parseEntry(line)!.operatorEmail),
    ['first', 'second'],
  );
  const abandoned = inTransaction(db.pool, async (client) => {
    await client.query(OLD_INSERT, [null, 'third', 'three', null, null, '{}']);
    throw new Error('abandoned');
  });
  await assert.rejects(abandoned, /abandoned/);
  await Promise.all(Array.from({ length: 8 }, () => write(5)));
  const report = await check();
  assert.deepEqual([report.problem, report.entries, report.newest.id], [null, 42, 42]);
});

test('a deleted account leaves the log, and the chain stays intact', async () => {
  const owner = await newOperator('otto');
  const ann = await newOperator('ann');
  await writeAudit(db.pool, owner, ann, { action: 'plan.set', details: { to: 'pro' } });
  await writeAudit(db.pool, ann, owner, { action: 'plan.set', details: { to: 'free' } });
  const invited = { id: 'none', email: ann.email, plan: 'pro' };
  await writeAudit(db.pool, owner, null, { action: 'invitation.create', details: invited });
  await write(1);
  const before = await check();
  await deleteAccount(db, ann.id);

  assert.deepEqual(await check(), { ...before, forgotten: 3 });
  const log = (await exported()).join('\n');
  assert(!log.includes(ann.email) && !log.includes(ann.id));
  assert(log.includes(owner.email), 'others stay');
  assert(log.includes(`deleted-${ann.id.slice(0, 8)}`));
  assert.deepEqual(
    (await exported()).map((line) => Object.keys(parseEntry(line)!.salts!).toSorted().join(' ')),
    ['invited operator', 'account invited', 'account operator', 'account invited operator'],
  );
  await forge(`update operator_actions set account_email = 'eve@example.com' where id = 1`);
  assert.deepEqual((await check()).problem, { kind: 'changed', entry: 1 }, 'no other takes its place');
});

test('an account that is deleted by SQL leaves the log, too', async () => {
  const ann = await newOperator('anton');
  await writeAudit(db.pool, ann, ann, { action: 'plan.set', details: { to: 'pro' } });
  await db.pool.query('delete from accounts where id = $1', [ann.id]);
  const { intact, forgotten } = await check();
  assert.deepEqual([intact, forgotten], [true, 1]);
  assert(!(await exported()).join().includes(ann.email));
});
