/**
 * Measures stalls of the event loop. Is preloaded into every Node process of a service
 * (`NODE_OPTIONS=--import`).
 *
 * In the API process it writes, many times per second, the longest time for which the event loop
 * was blocked. This is CPU time of its thread, so that the load of the machine does not count. Each
 * line has the end of the span (ms since the epoch), the longest stall (ms) and the resident MiB.
 */
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const TURN_MS = 1;
const SPAN_MS = 50;

const file = process.env.GUISE_BENCH_STALLS;
if (file !== undefined && isMainThread && basename(process.argv[1] ?? '') === 'server.ts') {
  let before = threadMs();
  let longestMs = 0;
  setInterval(() => {
    const now = threadMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  }, TURN_MS).unref();
  setInterval(() => {
    const residentMiB = process.memoryUsage.rss() / 2 ** 20;
    appendFileSync(file, `${Date.now()} ${longestMs.toFixed(2)} ${residentMiB.toFixed(0)}\n`);
    longestMs = 0;
  }, SPAN_MS).unref();
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
