import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Storage } from '../storage.ts';
import { newStorageKey } from '../storage.ts';

/**
 * Tests that every kind of storage must pass. @param opened returns the storage when a test runs.
 */
export function testStorage(opened: () => Storage): void {
  async function stored(text: string): Promise<string> {
    const storage = opened();
    const scratch = storage.scratch.newPath('png');
    await writeFile(scratch, text);
    const key = newStorageKey('output', 'png');
    await storage.put(key, scratch);
    assert.equal(existsSync(scratch), false);
    return key;
  }

  test('what is put is read back whole and in ranges', async () => {
    const storage = opened();
    const key = await stored('0123456789');
    assert.equal(await storage.sizeBytes(key), 10);
    assert.equal((await buffer(await storage.openRead(key))).toString(), '0123456789');
    assert.equal((await buffer(await storage.openRead(key, { start: 2, end: 4 }))).toString(), '234');
    let lent = '';
    const read = (file: string): Promise<string> => readFile((lent = file), 'utf8');
    assert.equal(await storage.withLocalFile(key, read), '0123456789');
    assert.equal(await storage.sizeBytes(key), 10, `lending ${lent} takes nothing away`);
  });

  test('deleting is final and may be repeated', async () => {
    const storage = opened();
    const key = await stored('x');
    await storage.delete(key);
    await storage.delete(key);
    assert.equal(await storage.sizeBytes(key), null);
    await assert.rejects(storage.openRead(key), { code: 'ENOENT' });
    await assert.rejects(
      storage.withLocalFile(key, (file) => readFile(file)),
      { code: 'ENOENT' },
    );
  });

  test('many are deleted at once, those that are gone already without an error', async () => {
    const storage = opened();
    const keys = [await stored('a'), newStorageKey('input', 'png'), await stored('b')];
    const kept = await stored('kept');
    assert.deepEqual(await storage.deleteAll([]), []);
    assert.deepEqual(await storage.deleteAll(keys), []);
    for (const key of keys) assert.equal(await storage.sizeBytes(key), null);
    assert.equal(await storage.sizeBytes(kept), 4);
  });

  test('a put that fails leaves nothing under the key', async () => {
    const storage = opened();
    const key = newStorageKey('input', 'jpg');
    await assert.rejects(storage.put(key, storage.scratch.newPath('jpg')), { code: 'ENOENT' });
    assert.equal(await storage.sizeBytes(key), null);
  });

  test('keys are unguessable and never repeat', () => {
    const keys = new Set(Array.from({ length: 1000 }, () => newStorageKey('output', 'png')));
    assert.equal(keys.size, 1000);
    for (const key of keys) assert.match(key, /^out\/[0-9a-f]{2}\/[0-9a-f]{46}\.png$/);
  });

  test('nothing but a key reaches what is stored', async () => {
    const storage = opened();
    for (const key of ['../secret', 'out/../../etc/passwd', '/etc/passwd', 'out/ab/x.png', '', 'out/ab\0']) {
      assert.equal(await storage.sizeBytes(key), null);
      await assert.rejects(async () => storage.openRead(key), TypeError);
      await assert.rejects(async () => storage.delete(key), TypeError);
    }
  });
}
