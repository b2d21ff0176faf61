/**
 * Imported by Node before a test file (`--import`): writes down every statement that code of the
 * service, and no test, sends to PostgreSQL.
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

const seen = new Set<string>();

function record(query: unknown): void {
  const text = typeof query === 'string' ? query : (query as { text?: unknown } | null)?.text;
  if (typeof text !== 'string' || seen.has(text)) return;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_FRAMES;
  const frames = new Error('asked').stack!.split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const own = frames.find((frame) => OWN_FRAME.test(frame));
  // A pool asks its clients by itself: who asked the pool was noted before.
  if (own === undefined || TEST_FRAME.test(own)) return;
  seen.add(text);
  appendFileSync(path.join(folder!, `${process.pid}.jsonl`), `${JSON.stringify(text)}\n`);
}

/** Lets `query` of a class note what it is asked. */
function wrap(prototype: { query: (...args: unknown[]) => unknown }): void {
  const { query } = prototype;
  prototype.query = function (...args) {
    record(args[0]);
    return query.apply(this, args);
  };
}

if (folder !== undefined) {
  const require = createRequire(path.join(process.cwd(), 'package.json'));
  wrap(require('pg').Client.prototype);
  wrap(require('pg-pool').prototype);
}
