import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PLANS } from '@guise/contract/plans.ts';
import { createTestDatabase } from '@guise/server/db/test-database.ts';
import { claimTasks } from '@guise/server/tasks/queue/claim-tasks.ts';
import { LaneClock, WHOLE_QUEUE } from '@guise/server/tasks/queue/lane-clock.ts';
import { createTask } from '@guise/server/tasks/create-task.ts';
import { newAccount } from '@guise/server/tasks/testing/task-fixtures.ts';
import { FairQueue, type Waiting } from './fair-queue.ts';
import { Random } from './random.ts';
import { takeStartTag } from './start-tags.ts';

const t = await createTestDatabase();
after(() => t.close());

const STEPS = 120;
const LEASE_MS = 60_000;

/** A task by the number of its creation. */
interface Numbered extends Waiting {
  readonly number: number;
}

test('the simulated queue hands out tasks in the order of the database', async () => {
  const random = new Random(11);
  const accounts = [];
  for (const plan of PLANS) accounts.push({ plan, id: await newAccount(t.db, 1_000_000, plan) });
  const simulated = accounts.map(({ plan }) => ({ plan, finishTags: { short: 0, long: 0 } }));
  const queue = new FairQueue<Numbered, Numbered>();
  const numbers = new Map<string, number>();
  const orders: { readonly real: number[]; readonly simulated: number[] } = { real: [], simulated: [] };
  for (let step = 0; step < STEPS; step++) {
    if (random.next() < 0.6) {
      const at = Math.floor(random.next() * accounts.length);
      // Exact sums, whichever way they are added up.
      const credits = 4 * Math.floor(random.next() * 5);
      const { task } = await createTask(t.db, {
        accountId: accounts[at]!.id,
        interface: 'ai-tasks',
        type: 'IMAGE_SWAP',
        lane: 'short',
        parameters: {},
        work: { kind: 'detect-faces', images: [] },
        costCredits: credits,
      });
      numbers.set(task!.id, step);
      const startTag = takeStartTag(simulated[at]!, 'short', credits, queue.virtualTime.short);
      queue.addTask({ lane: 'short', startTag, createdAt: step, number: step });
    } else {
      const limit = 1 + Math.floor(random.next() * 4);
      const claimed = await claimTasks(t.db.pool, {
        lanes: ['short'],
        limit,
        leaseMs: LEASE_MS,
        from: WHOLE_QUEUE,
      });
      await new LaneClock().note(t.db.pool, claimed);
      orders.real.push(...claimed.map(({ id }) => numbers.get(id)!));
      orders.simulated.push(...queue.claimTasks(step, ['short'], limit).map(({ number }) => number));
    }
  }
  assert.deepEqual(orders.simulated, orders.real);
  assert.ok(orders.real.length > STEPS / 3);
  assert.notDeepEqual(
    orders.real,
    orders.real.toSorted((a, b) => a - b),
    'and not just first come, first served',
  );
});
