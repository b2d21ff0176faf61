import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@guise/server/db/test-database.ts';
import { listAudit } from '@guise/server/operator/audit.ts';
import { toEventId } from '@guise/server/webhooks/event-id.ts';
import { endBatch } from '@guise/server/webhooks/testing/sender-rig.ts';

let t: TestDatabase;
let dataDir: string;
let env: NodeJS.ProcessEnv;
before(async () => {
  t = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'guise-audit-'));
  env = { ...process.env, DATABASE_URL: t.url, GUISE_DATA_DIR: path.join(dataDir, 'first') };
});
after(async () => {
  await t.close();
  await rm(dataDir, { recursive: true, force: true });
});

// oxlint-disable-next-line typescript/no-explicit-any
async function guise(...args: string[]): Promise<any> {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args, '--json'], { env });
  return JSON.parse(stdout);
}

/** Runs a command without `--json`. @returns its output and exit code */
async function run(...args: string[]): Promise<{ readonly code: number; readonly out: string }> {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: stdout + stderr }),
    );
  });
}

/** Changes an entry as somebody who may turn the triggers off. */
function setAction(action: string): Promise<unknown> {
  return t.db.pool.query(
    `alter table operator_actions disable trigger user;
     update operator_actions set action = '${action}' where id = 3;
     alter table operator_actions enable trigger user`,
  );
}

test('what a command changes is in the audit log, without a secret', async () => {
  const ann = ['--email', 'ann@example.com'];
  const { accountId, apiKey } = await guise(
    'account',
    'create',
    ...ann,
    '--plan',
    'enterprise',
    '--credits',
    '5',
  );
  await guise('account', 'credit', ...ann, '--amount', '-2', '--note', 'a mistake');
  const { keyId, apiKey: second } = await guise('account', 'key', ...ann, '--name', 'laptop');
  await guise('account', 'key', ...ann, '--revoke', keyId);
  await guise('account', 'allowlist', ...ann, '--set', '198.51.100.0/24');
  const { link } = await guise('account', 'link', ...ann);
  const { invitationId, link: invitation } = await guise('account', 'invite', '--plan', 'pro');
  const { webhookSecret, previousUntil } = await guise('webhook', 'rotate-secret', ...ann);
  await guise('keys', 'rotate', 'file-links', '--urgent');
  const { serialNumber } = await guise('signing', 'rotate');
  env.GUISE_ENCRYPTION_KEY = 'a secret of more than thirty-two characters';
  await guise('keys', 'rotate', 'encryption');
  const ended = await endBatch(t.db, accountId, 'https://hooks.example/told');
  const eventId = toEventId(ended.eventId);
  await guise('webhook', 'resend', eventId, ...ann);
  await assert.rejects(guise('account', 'credit', ...ann, '--amount', '-100'));

  const entries = (await listAudit(t.db, { limit: 100 })).toReversed();
  const account = 'ann@example.com';
  assert.deepEqual(
    entries.map(({ action, accountEmail, details }) => [action, accountEmail, details]),
    [
      ['account.create', account, { plan: 'enterprise', role: 'user', credits: 5, verified: true }],
      ['credits.change', account, { credits: -2, note: 'a mistake', availableAfter: 3 }],
      ['key.create', account, { keyId, name: 'laptop' }],
      ['key.revoke', account, { keyId }],
      ['allowlist.set', account, { ranges: ['198.51.100.0/24'] }],
      ['sign-in-link.create', account, {}],
      ['invitation.create', null, { id: invitationId, email: null, plan: 'pro' }],
      ['webhook-secret.rotate', account, { previousUntil }],
      ['installation-key.rotate', null, { name: 'file-links', urgent: true }],
      ['signing-certificate.rotate', null, { serialNumber }],
      ['installation-key.rotate', null, { name: 'encryption' }],
      ['webhook.resend', account, { eventId }],
    ],
  );
  assert(entries.every(({ operatorEmail }) => operatorEmail === 'command line'));
  const log = JSON.stringify(entries);
  for (const secret of [apiKey, second, link, invitation, webhookSecret]) assert(!log.includes(secret));
});

test('the log verifies, and so does its export without the installation', async () => {
  const file = path.join(dataDir, 'audit.jsonl');
  const report = await guise('audit', 'verify');
  assert.deepEqual([report.intact, report.entries, report.forgotten, report.problem], [true, 12, 0, null]);
  assert.deepEqual(await run('audit', 'export', '-o', file), { code: 0, out: '' });
  const text = await readFile(file, 'utf8');
  assert.equal((await run('audit', 'export')).out, text);
  assert.match((await run('audit', 'export', '-o', file)).out, /exists already; --force replaces it/);
  const lines = text.trimEnd().split('\n');
  assert.equal(lines.length, 12);
  assert.equal(JSON.parse(lines.at(-1)!).hash, report.newest.hash);

  const withDatabase = env;
  env = { ...env, DATABASE_URL: undefined, GUISE_DATA_DIR: path.join(dataDir, 'none') };
  try {
    assert.deepEqual(await guise('audit', 'verify', '--file', file), report);
    await writeFile(file, text.replace('a mistake', 'a present'));
    const { code, out } = await run('audit', 'verify', '--file', file);
    assert.equal(code, 1);
    assert.match(out, /^NOT INTACT: entry 2 was changed\.\nIntact entries: 1\.\n/);
    await writeFile(file, `${lines[0]}\n${lines[2]}\n`);
    assert.match((await run('audit', 'verify', '--file', file)).out, /before entry 3 is missing/);
    await writeFile(file, `${lines[0]}\n{"id":2}\n`);
    const other = await run('audit', 'verify', '--file', file);
    assert.deepEqual(other, { code: 1, out: `guise: Line 2 of ${file} is not an entry of an audit log.\n` });
  } finally {
    env = withDatabase;
  }
});

test('a change of the log by a superuser is told', async () => {
  await setAction('key.revoke');
  const { code, out } = await run('audit', 'verify', '--json');
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out).problem, { kind: 'changed', entry: 3 });
  await setAction('key.create');
  const { newest } = await guise('audit', 'verify');
  assert.deepEqual(await run('audit', 'verify'), {
    code: 0,
    out: `The log is intact.\nIntact entries: 12.\nHash of the newest intact entry, number 12: ${newest.hash}\n`,
  });
});

test('a restored installation has the log of before, and an entry of the restoring', async () => {
  const backup = path.join(dataDir, 'backup');
  await guise('backup', backup);
  const restored = await createTestDatabase();
  try {
    env = { ...env, DATABASE_URL: restored.url, GUISE_DATA_DIR: path.join(dataDir, 'second') };
    const { createdAt, version } = await guise('restore', backup);
    const [last, ...before] = await listAudit(restored.db, { limit: 100 });
    assert.equal(last!.action, 'backup.restore');
    assert.deepEqual(last!.details, { createdAt, version });
    assert.deepEqual(before, await listAudit(t.db, { limit: 100 }));
    const { intact, newest } = await guise('audit', 'verify');
    assert.deepEqual([intact, newest.id], [true, last!.id]);
    const { rows: hashes } = await t.db.pool.query(
      'select id, salts, hash from operator_actions order by id',
    );
    const same = 'select id, salts, hash from operator_actions where id < $1 order by id';
    assert.deepEqual((await restored.db.pool.query(same, [last!.id])).rows, hashes);
  } finally {
    await restored.close();
  }
});
