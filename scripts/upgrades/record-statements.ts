/**
 * Imported by Node before a test file (`--import`): writes down every statement that code of the
 * service, and no test, sends to PostgreSQL, and the work and results of tasks in them.
 */
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Folder that gets a file of each process: one statement a line, as JSON. */
const folder = process.env.GUISE_STATEMENTS_DIR;

/** Frames of a stack deep enough to reach whoever asked, through Kysely. */
const STACK_FRAMES = 60;

/** Matches the frames of code that only tests run. */
const TEST_FRAME = /\.test\.ts|\/testing\/|\/test-[\w-]+\.ts/;

/** Matches the frames of the service's own code. */
const OWN_FRAME = /\/packages\/[\w-]+\/src\//;

/** Matches statements whose values hold what a task is to do, or what came of it. */
const TASK_STATEMENT = /insert into tasks|update tasks/;

const seen = new Set<string>();

function write(kind: 'jsonl' | 'tasks', line: string): void {
  if (seen.has(line)) return;
  seen.add(line);
  appendFileSync(path.join(folder!, `${process.pid}.${kind}`), `${line}\n`);
}

function record(query: unknown, given: unknown): void {
  const { text, values = given } =
    typeof query === 'string' ? { text: query } : (query as { text?: unknown; values?: unknown });
  if (typeof text !== 'string') return;
  const line = JSON.stringify(text);
  const holdsTask = TASK_STATEMENT.test(text);
  // A stack costs more than most statements.
  if (seen.has(line) && !holdsTask) return;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_FRAMES;
  const frames = new Error('asked').stack!.split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const own = frames.find((frame) => OWN_FRAME.test(frame));
  // A pool asks its clients by itself: who asked the pool was noted before.
  if (own === undefined || TEST_FRAME.test(own)) return;
  write('jsonl', line);
  if (!holdsTask || !Array.isArray(values)) return;
  for (const value of values) if (typeof value === 'string' && value.startsWith('{')) write('tasks', value);
}

/** Lets `query` of a class note what it is asked. */
function wrap(prototype: { query: (...args: unknown[]) => unknown }): void {
  const { query } = prototype;
  prototype.query = function (...args) {
    record(args[0], args[1]);
    return query.apply(this, args);
  };
}

if (folder !== undefined) {
  const require = createRequire(import.meta.url);
  wrap(require('pg').Client.prototype);
  wrap(require('pg-pool').prototype);
}
