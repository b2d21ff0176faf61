import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { openDatabase } from './database.ts';
import { requireDatabase } from './require-database.ts';
import { createTestDatabase } from './test-database.ts';

test('a database that answers is let pass', async (t) => {
  const { db, close } = await createTestDatabase();
  t.after(close);
  await requireDatabase(db.pool);
});

test('whatever else is there is refused with a sentence, its reason and its code', async (t) => {
  const other = createServer((socket) => socket.destroy());
  t.after(() => other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const wrong = openDatabase(`postgres://me:hunter2@127.0.0.1:${port}/x`, { poolSize: 1 });
  await assert.rejects(requireDatabase(wrong.pool), {
    name: 'DatabaseError',
    message: /^DATABASE_URL cannot be used: [^\n]+\.$/,
  });
  const refusal = new AggregateError([
    Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' }),
  ]);
  Object.assign(refusal, { code: 'ECONNREFUSED' });
  t.mock.method(wrong.pool, 'query', () => Promise.reject(refusal));
  await assert.rejects(requireDatabase(wrong.pool), {
    message: 'DATABASE_URL cannot be used: connect ECONNREFUSED ::1:5432.',
    code: 'ECONNREFUSED',
  });
  await wrong.close();
});
