import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { TaskFailure } from '@guise/contract/errors.ts';
import { LocalStorage } from '../../storage/local-storage.ts';
import { SharedWork } from './shared-work.ts';
import { newStorageKey } from '../../storage/storage.ts';

let dir: string;
let storage: LocalStorage;
before(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guise-shared-'));
  storage = await LocalStorage.open(dir);
});
after(() => rm(dir, { recursive: true, force: true }));

/** Counts how often files come to this machine and go. */
function watched(): { storage: LocalStorage; readonly counts: { came: number; went: number } } {
  const counts = { came: 0, went: 0 };
  const counting = Object.create(storage) as LocalStorage;
  counting.sizeBytes = (key) => storage.sizeBytes(key);
  counting.withLocalFile = async (key, use) => {
    counts.came += 1;
    try {
      return await storage.withLocalFile(key, use);
    } finally {
      counts.went += 1;
    }
  };
  return { storage: counting, counts };
}

async function stored(): Promise<{ field: string; objectKey: string }> {
  const objectKey = newStorageKey('input', 'jpg');
  const scratch = storage.scratch.newPath('part');
  await writeFile(scratch, 'a picture');
  await storage.put(objectKey, scratch);
  return { field: 'sourceImages[0]', objectKey };
}

test('items of one task have one file and one analysis, those of another have their own', async () => {
  const { storage: counting, counts } = watched();
  const work = new SharedWork(counting);
  const [input, other] = [await stored(), await stored()];
  const analyses = await Promise.all(
    Array.from({ length: 5 }, () => work.use('a task', input, async ({ analysis }) => analysis)),
  );
  assert.equal(new Set(analyses).size, 1);
  assert.deepEqual(counts, { came: 1, went: 0 });
  const another = await work.use('another', other, async ({ analysis }) => analysis);
  assert.notEqual(another, analyses[0]);
  await work.close();
  assert.deepEqual(counts, { came: 2, went: 2 });
});

test('a task that has ended is let go once nothing of it is in hand', async () => {
  const { storage: counting, counts } = watched();
  const work = new SharedWork(counting);
  const going = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const using = work.use('a task', await stored(), async () => {
    begun.resolve();
    await going.promise;
  });
  await begun.promise;
  await work.drop('a task');
  assert.deepEqual(counts, { came: 1, went: 0 });
  going.resolve();
  await using;
  assert.deepEqual(counts, { came: 1, went: 1 });
});

test('a file that is gone fails each item that needs it, by its name', async () => {
  const work = new SharedWork(storage);
  const input = { field: 'sourceImages[0]', objectKey: newStorageKey('input', 'jpg') };
  for (let n = 0; n < 2; n++) {
    await assert.rejects(
      work.use('a task', input, async () => {}),
      (error: unknown) =>
        error instanceof TaskFailure && error.message === 'The uploaded sourceImages[0] is no longer stored.',
    );
  }
});
