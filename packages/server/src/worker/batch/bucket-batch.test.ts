import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { S3Storage } from '../../storage/s3-storage.ts';
import { Scratch } from '../../storage/scratch.ts';
import { type S3Service, skipWithoutS3, startS3Service } from '../../storage/testing/s3-service.ts';
import { createTask } from '../../tasks/create-task.ts';
import { COST, db, dir, ended, newAccount, startWorker, storeInput } from '../testing/worker-rig.ts';
import { scriptedEngine } from '../testing/scripted-worker.ts';

const TARGETS = 3;

describe('a batch whose media rest in a bucket', { skip: skipWithoutS3 }, () => {
  let service: S3Service;
  let storage: S3Storage;
  const scratch = path.join(dir, 'bucket-scratch');
  before(async () => {
    service = await startS3Service();
    storage = await S3Storage.open(service.config, await Scratch.open(scratch));
  });
  after(() => service?.stop());

  test('the file that its items share comes once, under one name, and is gone with the batch', async (context) => {
    const accountId = await newAccount();
    const noted = path.join(dir, 'noted');
    await mkdir(noted);
    const store = (field: string, content: string) =>
      storeInput(accountId, field, Buffer.from(content), storage);
    const source = await store('sourceImages[0]', `note-path ${noted}`);
    const items = await Promise.all(
      Array.from({ length: TARGETS }, async (_, n) => ({
        source,
        target: await store(`targetImages[${n}]`, 'x'),
      })),
    );
    const { task } = await createTask(db, {
      accountId,
      interface: 'ai-tasks',
      type: 'BATCH_FACE_SWAP',
      lane: 'long',
      parameters: {},
      work: { kind: 'swap-batch', items, restore: { faceRestoreVisibility: 1, restoreVisibility: 1 } },
      costCredits: COST * TARGETS,
    });
    const gave = service.gave();
    startWorker(context, [scriptedEngine(), scriptedEngine()], {}, storage);
    const { status, result } = await ended(task!);
    assert.deepEqual([status, result!.outputs.length], ['COMPLETED', TARGETS]);
    assert.equal(service.gave() - gave, 1 + TARGETS);
    const names = await readdir(noted);
    const paths = await Promise.all(names.map((name) => readFile(path.join(noted, name), 'utf8')));
    assert.deepEqual([names.length, new Set(paths).size], [TARGETS, 1]);
    assert.deepEqual(await storage.scratch.files(), []);
  });
});
