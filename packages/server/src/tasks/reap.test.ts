import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../db/test-database.ts';
import { createTask } from './create-task.ts';
import { deadlineOf, reap } from './reap.ts';
import type { NewTask } from './task.ts';
import { claimTask } from './testing/claim-task.ts';
import { newAccount, newPhoto } from './testing/task-fixtures.ts';

/** Deadline of a task that holds its slot. */
const DEADLINE_MS = 600_000;

test('a film has three deadlines, in a worker and for whoever reaps; a shorter video has one', async (context) => {
  const t = await createTestDatabase();
  context.after(() => t.close());
  for (const [seconds, deadlines] of [
    [59.9, 1],
    [60, 3],
  ] as const) {
    const accountId = await newAccount(t.db, 10);
    const photo = await newPhoto(t.db, accountId);
    const { source, target, restore } = photo.work as Extract<NewTask['work'], { kind: 'swap-image' }>;
    const work = {
      kind: 'swap-video',
      source,
      target: { ...target, contentType: 'video/mp4', durationSeconds: seconds },
      restore,
      size: {},
    } as const;
    assert.equal(deadlineOf(work, DEADLINE_MS), deadlines * DEADLINE_MS);
    await createTask(t.db, { ...photo, type: 'VIDEO_SWAP', lane: 'long', work });
    const { id } = (await claimTask(t.db, { lanes: ['long'], leaseMs: DEADLINE_MS }))!;
    const expiredAfter = async (ms: number): Promise<number> => {
      const started = `update tasks set started_at = now() - $2 * interval '1 ms' where id = $1`;
      await t.db.pool.query(started, [id, ms]);
      return (await reap(t.db, { deadlineMs: DEADLINE_MS, inputRetentionMs: 0 })).expired;
    };
    assert.equal(await expiredAfter(deadlines * DEADLINE_MS - 60_000), 0);
    assert.equal(await expiredAfter(deadlines * DEADLINE_MS + 60_000), 1);
    const { rows } = await t.db.pool.query('select error_message from tasks where id = $1', [id]);
    assert.equal(rows[0].error_message, `The task took longer than ${600 * deadlines} seconds.`);
  }
});
