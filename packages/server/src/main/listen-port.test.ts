import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { StartError } from './lifecycle.ts';
import { findListenPort } from './listen-port.ts';

test('0 becomes a free port, which can then be listened on', async () => {
  const port = await findListenPort('127.0.0.1', 0);
  assert.ok(port > 0);
  assert.equal(await findListenPort('127.0.0.1', port), port);
});

test('a taken port is one plain sentence that says what to set', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await assert.rejects(findListenPort('127.0.0.1', port), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /^Port \d+ on 127\.0\.0\.1 is taken by another program; set PORT/);
    return true;
  });
  server.close();
});

test('an address that is not of this machine is one plain sentence that says what to set', async () => {
  await assert.rejects(
    findListenPort('192.0.2.1', 0),
    /192\.0\.2\.1 is not an address of this machine; set HOST/,
  );
});
