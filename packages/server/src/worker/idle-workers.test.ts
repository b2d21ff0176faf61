/** Workers that have nothing to do must not cost the database much when others have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lane } from '@guise/contract/task.ts';
import { createTask } from '../tasks/create-task.ts';
import type { Task } from '../tasks/task.ts';
import { newAccount as createTestAccount } from '../tasks/testing/task-fixtures.ts';
import { scriptedEngine } from './testing/scripted-worker.ts';
import { WorkSignal } from './work/work-signal.ts';
import { COST, db, ended, sample, startWorker, storeInput } from './testing/worker-rig.ts';

const WORKERS = 4;
const SLOTS = 2;
const TASKS = 20;

async function submit(accountId: string, lane: Lane): Promise<Task> {
  const { task } = await createTask(db, {
    accountId,
    interface: 'ai-tasks',
    type: 'IMAGE_SWAP',
    lane,
    parameters: {},
    work: {
      kind: 'swap-image',
      source: await storeInput(accountId, 'sourceImage', Buffer.from('answer-pid')),
      target: await storeInput(accountId, 'targetImage', sample.body),
      restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
    },
    costCredits: COST,
  });
  return task!;
}

test('a task makes each idle worker look once, and not each of its slots', async (context) => {
  const vain = context.mock.method(WorkSignal.prototype, 'foundNothing');
  const engines = Array.from({ length: WORKERS }, () =>
    Array.from({ length: SLOTS }, () => scriptedEngine()),
  );
  for (const ofOne of engines) startWorker(context, ofOne);
  await Promise.all(engines.flat().map((engine) => engine.whenReady()));
  const accountId = await createTestAccount(db, TASKS * COST);
  for (let n = 0; n < TASKS; n++) {
    const task = await ended(await submit(accountId, 'short'));
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.error));
  }
  // Looks that slots take by themselves, now and then and after each task, are not counted.
  const hinted = vain.mock.calls.filter(({ arguments: [wokenBy] }) => wokenBy !== null).length;
  context.diagnostic(`${(hinted / TASKS).toFixed(1)} looks in vain for each task`);
  assert.ok(hinted <= TASKS * WORKERS, `${hinted} looks in vain for ${TASKS} tasks`);
});
