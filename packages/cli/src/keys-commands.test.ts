import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@guise/server/db/test-database.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function keys(...args: readonly string[]): Promise<string> {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  const env = { ...process.env, DATABASE_URL: t.url };
  return (await promisify(execFile)(process.execPath, [bin, 'keys', ...args], { env })).stdout;
}

test('a rotation says when the new key signs and the old one goes, and the list knows both', async () => {
  const rotated = JSON.parse(await keys('rotate', 'file-links', '--json'));
  assert(Date.parse(rotated.formerUntil) > Date.parse(rotated.signsFrom));
  const listed = JSON.parse(await keys('list', '--json'));
  assert.equal(listed[0].name, 'file-links');
  assert.equal(listed[0].formerUntil, rotated.formerUntil);
  assert.equal(listed[0].ageDays, 0);
  assert.ok(Date.now() - Date.parse(listed[0].madeAt) < 3_600_000);
  assert.match(
    await keys('rotate', 'file-links', '--urgent'),
    /becomes invalid on every machine within 20 seconds/,
  );
  assert.match(await keys('list'), /^file-links: in the database, made [^,]+, 0 days ago\. To rotate: /);
});

test('a name that is no key is refused with those there are', async () => {
  await assert.rejects(keys('rotate', 'nonsense'), /Allowed choices are file-links, sign-in/);
  await assert.rejects(keys('rotate', 'encryption'), /GUISE_ENCRYPTION_KEY must be set/);
});
