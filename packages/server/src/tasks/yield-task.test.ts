import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../db/test-database.ts';
import { createTask } from './create-task.ts';
import type { LookAtClipOrder, NewTask, TaskResult } from './task.ts';
import { claimTask } from './testing/claim-task.ts';
import { newAccount, newPhoto } from './testing/task-fixtures.ts';
import { yieldTask } from './yield-task.ts';

const CLAIM = { lanes: ['short'], leaseMs: 60_000 } as const;

/** A look at a clip, which is short hidden work in slices. */
async function newLook(photo: NewTask): Promise<NewTask> {
  const { target } = photo.work as Extract<NewTask['work'], { kind: 'swap-image' }>;
  const work: LookAtClipOrder = { kind: 'look-at-clip', clip: target, maxMs: 20_000 };
  return { ...photo, type: 'DETECT_FACES', lane: 'short', costCredits: 0, work };
}

test('between two slices what else waits goes first, and the next slice finds what was seen', async (context) => {
  const t = await createTestDatabase();
  context.after(() => t.close());
  const [looker, other] = [await newAccount(t.db, 10), await newAccount(t.db, 100)];
  const { task } = await createTask(t.db, await newLook(await newPhoto(t.db, looker)));
  const first = (await claimTask(t.db, CLAIM))!;
  assert.equal(first.id, task!.id);
  const photos: string[] = [];
  for (let k = 0; k < 3; k++) photos.push((await createTask(t.db, await newPhoto(t.db, other))).task!.id);

  const outcome = {
    isComplete: false,
    durationSeconds: 9,
    width: 1,
    height: 1,
    persons: [],
    framesLooked: 3,
  };
  const result: TaskResult = { outputs: [], failures: [], clipLook: { startedAtMs: 5, outcome } };
  const lease = { taskId: first.id, leaseToken: first.leaseToken };
  assert.equal(await yieldTask(t.db, lease, result), true);
  const claimed = [];
  for (let k = 0; k < 4; k++) claimed.push((await claimTask(t.db, CLAIM))!);
  assert.deepEqual(
    claimed.map(({ id }) => id),
    [...photos, first.id],
  );
  assert.deepEqual(claimed[3]!.result, result);
  assert.equal(await yieldTask(t.db, lease, result), false, 'the lease of the first slice is over');
});
