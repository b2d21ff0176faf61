import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { retryWhileDatabaseIsAway } from './retry-while-away.ts';

/** Fails once. @returns how often it was tried */
async function triesAfter(failure: Error): Promise<number> {
  let tries = 0;
  const attempt = async (): Promise<void> => {
    tries += 1;
    if (tries === 1) throw failure;
  };
  await retryWhileDatabaseIsAway(60_000, attempt).catch((reason: unknown) => assert.equal(reason, failure));
  return tries;
}

/** Returns the error of a connection to a port where nobody listens. */
async function refusedConnection(): Promise<Error> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const [error] = await once(connect(port, '127.0.0.1'), 'error');
  return error as Error;
}

function serverError(code: string): Error {
  return Object.assign(new DatabaseError('no', 2, 'error'), { code });
}

test('what a lost connection throws is tried again, whatever its code looks like', async () => {
  const brokenPipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', errno: -32, syscall: 'write' });
  const ended = new Error('Connection terminated unexpectedly');
  for (const error of [brokenPipe, ended, await refusedConnection()])
    assert.equal(await triesAfter(error), 2, error.message);
});

test('a server that starts is waited for, one that refuses the statement is not', async () => {
  assert.equal(await triesAfter(serverError('57P03')), 2);
  for (const code of ['42P01', '23505', 'XX000']) assert.equal(await triesAfter(serverError(code)), 1, code);
});
