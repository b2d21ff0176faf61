import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@guise/server/db/test-database.ts';
import { listAudit } from '@guise/server/operator/audit.ts';

let t: TestDatabase;
let dataDir: string;
before(async () => {
  t = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'guise-audit-'));
});
after(async () => {
  await t.close();
  await rm(dataDir, { recursive: true, force: true });
});

// oxlint-disable-next-line typescript/no-explicit-any
async function guise(...args: string[]): Promise<any> {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  const env = { ...process.env, DATABASE_URL: t.url, GUISE_DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args, '--json'], { env });
  return JSON.parse(stdout);
}

test('what a command changes is in the audit log, without a secret', async () => {
  const ann = ['--email', 'ann@example.com'];
  const { apiKey } = await guise('account', 'create', ...ann, '--plan', 'enterprise', '--credits', '5');
  await guise('account', 'credit', ...ann, '--amount', '-2', '--note', 'a mistake');
  const { keyId, apiKey: second } = await guise('account', 'key', ...ann, '--name', 'laptop');
  await guise('account', 'key', ...ann, '--revoke', keyId);
  await guise('account', 'allowlist', ...ann, '--set', '198.51.100.0/24');
  const { link } = await guise('account', 'link', ...ann);
  const { invitationId, link: invitation } = await guise('account', 'invite', '--plan', 'pro');
  const { webhookSecret, previousUntil } = await guise('webhook', 'rotate-secret', ...ann);
  await guise('keys', 'rotate', 'file-links', '--urgent');
  const { serialNumber } = await guise('signing', 'rotate');
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
    ],
  );
  assert(entries.every(({ operatorEmail }) => operatorEmail === 'command line'));
  const log = JSON.stringify(entries);
  for (const secret of [apiKey, second, link, invitation, webhookSecret]) assert(!log.includes(secret));
});
