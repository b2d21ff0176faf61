import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { StallWatch } from './stall-watch.ts';

const LIMIT_MS = 1000;

/** Runs a script in a process of its own. */
async function begin(t: TestContext, script: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', `console.log(1); ${script}`]);
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child.pid!;
}

const WAITS = 'setTimeout(() => {}, 1e9)';

test('a process that computes without progress is stalled after the limit', async (t) => {
  const pid = await begin(t, 'for (;;);');
  await new Promise<void>((resolve) => new StallWatch(pid, LIMIT_MS, resolve));
});

test('a process that waits gets five times as long', async (t) => {
  const startedMs = performance.now();
  const pid = await begin(t, WAITS);
  await new Promise<void>((resolve) => new StallWatch(pid, LIMIT_MS, resolve));
  if (process.platform === 'linux') assert.ok(performance.now() - startedMs > 5 * LIMIT_MS);
});

test('a job with progress goes on, and one that has ended is watched no more', async (t) => {
  const pid = await begin(t, 'for (;;);');
  let stalls = 0;
  const watch = new StallWatch(pid, LIMIT_MS, () => (stalls += 1));
  const ticking = setInterval(() => watch.progress(), LIMIT_MS / 20);
  await delay(3 * LIMIT_MS);
  clearInterval(ticking);
  watch.stop();
  await delay(2 * LIMIT_MS);
  assert.equal(stalls, 0);
});
