import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, redact } from './log.ts';

const KEY = `gsk_${'aB3_-'.repeat(8)}xyz`;
const SECRETS = [KEY, 'c2lnbmF0dXJl', 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODk=', 'hunter2'];

function capture(): { lines: string[]; log: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return {
    lines,
    log: createLogger({ level: 'info', name: 'test' }, { write: (line: string) => void lines.push(line) }),
  };
}

test('keys, signatures and passwords never reach the log, wherever they are', () => {
  const { lines, log } = capture();
  const cause = new Error('connect postgres://guise:hunter2@db/guise failed');
  log.info({ headers: { authorization: `Bearer ${KEY}` }, apiKey: KEY }, `called with ${KEY}`);
  log.info({ url: '/files/x.png?expires=1&signature=c2lnbmF0dXJl' }, 'served');
  log.error({ err: new Error(`bad ${KEY}`, { cause }) }, 'failed');
  log.warn({ account: { webhook: { secret: SECRETS[2] } } }, 'secret is %s', SECRETS[2]);
  assert.equal(lines.length, 4);
  for (const line of lines) {
    for (const secret of SECRETS) assert(!line.includes(secret), line);
    assert(line.includes('[redacted]'), line);
    assert.equal(JSON.parse(line).name, 'test');
  }
});

test('everything else stays readable', () => {
  assert.equal(redact('GET /api/ai-tasks?taskId=1 gsk_ short'), 'GET /api/ai-tasks?taskId=1 gsk_ short');
  const { lines, log } = capture();
  log.info({ taskId: 'abc', status: 200 }, 'done');
  const { time, ...rest } = JSON.parse(lines[0] ?? '');
  assert.deepEqual(rest, { level: 'info', name: 'test', taskId: 'abc', status: 200, msg: 'done' });
  assert(!Number.isNaN(Date.parse(time)));
});
