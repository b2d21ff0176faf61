import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { loadConfig } from '@guise/server/config/config.ts';
import { createTestDatabase, type TestDatabase } from '@guise/server/db/test-database.ts';
import { readOwnCertificates } from '@guise/server/signing/own-certificates.ts';

let t: TestDatabase;
let dataDir: string;
before(async () => {
  t = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'guise-signing-command-'));
});
after(async () => {
  await t.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('a rotation makes a certificate that the installation then knows beside the one before', async () => {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  const rotate = async (): Promise<string> => {
    const env = { ...process.env, DATABASE_URL: t.url, GUISE_DATA_DIR: dataDir };
    const { stdout } = await promisify(execFile)(process.execPath, [bin, 'signing', 'rotate', '--json'], {
      env,
    });
    return JSON.parse(stdout).serialNumber;
  };
  const serials = [await rotate(), await rotate()];
  const known = await readOwnCertificates(loadConfig({ GUISE_DATA_DIR: dataDir }), t.db.pool);
  assert.deepEqual(known.map(({ serialNumber }) => serialNumber).sort(), serials.sort());
});
