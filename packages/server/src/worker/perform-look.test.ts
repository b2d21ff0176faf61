import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import type { LooksSoFar } from '@guise/engine-host/protocol/engine-job.ts';
import type { SecretRing } from '../db/installation-secrets.ts';
import { cancelHiddenTask } from '../tasks/cancel-hidden-task.ts';
import { createTask } from '../tasks/create-task.ts';
import type { LookAtClipOrder, Task, TaskResult } from '../tasks/task.ts';
import { claimTask } from '../tasks/testing/claim-task.ts';
import { yieldTask } from '../tasks/yield-task.ts';
import { performLook } from './perform-look.ts';
import { db, newAccount, sample, storage, storeInput } from './testing/worker-rig.ts';
import type { TaskRun } from './work/task-run.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** What the first slice leaves for the next; a long number would be found in any text. */
const SEEN = {
  next: 1,
  looks: [{ seconds: 0, faces: [{ embedding: [0.123456789] }] }],
} as unknown as LooksSoFar;

function ringOf(...keys: ReturnType<typeof createSecretKey>[]): SecretRing {
  return { signing: () => keys[0]!, accepted: () => keys };
}

/** Performs a slice on an engine that notes what it goes on from. */
async function slice(
  task: Pick<Task, 'id' | 'result'>,
  order: LookAtClipOrder,
  secret: SecretRing,
  isComplete: boolean,
  durationMs = 0,
): Promise<{ isDone: boolean; result: TaskResult; wentOnFrom: unknown; previews: unknown }> {
  let wentOnFrom: unknown;
  let previews: unknown;
  const engine = {
    async run(job: { readonly sofar?: unknown; readonly previews?: string }) {
      ({ sofar: wentOnFrom, previews } = job);
      await delay(durationMs);
      return { sofar: SEEN, isComplete, durationSeconds: 9, width: 1, height: 1, persons: [] };
    },
  } as unknown as EngineProcess;
  const run = { task, signal: new AbortController().signal, onProgress() {} } as unknown as TaskRun;
  const done = await performLook(order, run, { storage, engine, secret } as unknown as SlotOptions);
  return { ...done, wentOnFrom, previews };
}

test('what a look found is readable in no table, and gone when it ends or is cancelled', async () => {
  const accountId = await newAccount();
  const clip = await storeInput(accountId, 'video', sample.body);
  const order: LookAtClipOrder = { kind: 'look-at-clip', clip, maxMs: 60_000 };
  const { task } = await createTask(db, {
    accountId,
    interface: 'ai-tasks',
    type: 'DETECT_FACES',
    lane: 'short',
    parameters: {},
    work: order,
    costCredits: 0,
  });
  const rowText = async (): Promise<string> => {
    const { rows } = await db.pool.query('select tasks::text as text from tasks where id = $1', [task!.id]);
    return rows[0].text;
  };
  const [key, next] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))];
  const claimed = (await claimTask(db, { lanes: ['short'], leaseMs: 600_000 }))!;
  const first = await slice(claimed, order, ringOf(key), false);
  assert.deepEqual([first.isDone, first.wentOnFrom], [false, undefined]);
  assert.equal(
    await yieldTask(db, { taskId: claimed.id, leaseToken: claimed.leaseToken }, first.result),
    true,
  );
  assert.match(await rowText(), /sealed/);
  assert.doesNotMatch(await rowText(), /123456789|embedding/);

  // A rotation later; and by a secret that nobody knows any more it begins again.
  const again = (await claimTask(db, { lanes: ['short'], leaseMs: 600_000 }))!;
  assert.deepEqual((await slice(again, order, ringOf(next, key), false)).wentOnFrom, SEEN);
  assert.equal((await slice(again, order, ringOf(next), false)).wentOnFrom, undefined);
  const otherTask = { ...again, id: claimed.leaseToken };
  assert.equal((await slice(otherTask, order, ringOf(key), false)).wentOnFrom, undefined);

  const last = await slice(again, order, ringOf(key), true);
  assert.equal(last.isDone, true);
  assert.equal(last.result.clipLook!.outcome.framesLooked, 1);
  assert.doesNotMatch(JSON.stringify(last.result), /sealed|embedding|123456789/);

  await cancelHiddenTask(db, task!.id);
  assert.doesNotMatch(await rowText(), /sealed/);
});

test('a look whose time ends during a slice has one more, which makes the previews', async () => {
  const clip = await storeInput(await newAccount(), 'video', sample.body);
  const order: LookAtClipOrder = { kind: 'look-at-clip', clip, maxMs: 1100, withPreviews: true };
  const ring = ringOf(createSecretKey(randomBytes(32)));
  const task = { id: crypto.randomUUID(), result: null };
  const slow = await slice(task, order, ring, false, 1200);
  assert.deepEqual([slow.isDone, slow.previews], [false, 'if-complete']);
  const last = await slice({ ...task, result: slow.result }, order, ring, false);
  assert.deepEqual([last.isDone, last.previews], [true, 'always']);
  assert.deepEqual(last.wentOnFrom, SEEN);
});
