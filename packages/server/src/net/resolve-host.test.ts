import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import ipaddr from 'ipaddr.js';
import { createGuardedClient } from './guarded-client.ts';
import { dnsResolver, resolveLocalHost } from './resolve-host.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;

/** A real name server on loopback. @returns its `ADDRESS:PORT`. */
async function startNameServer(t: TestContext, table: Record<string, string[]>): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    let at = 12;
    const labels: string[] = [];
    for (; query[at] !== 0; at += query[at]! + 1) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    }
    const type = query.readUInt16BE(at + 1);
    const known = table[labels.join('.').toLowerCase()];
    const records = (known ?? [])
      .map((text) => ipaddr.parse(text))
      .filter((address) => (address.kind() === 'ipv4' ? TYPE_A : TYPE_AAAA) === type)
      .map((address) => {
        const data = Buffer.from(address.toByteArray());
        return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data]);
      });
    const head = Buffer.from([
      0,
      0,
      0x81,
      known === undefined ? 0x80 | NO_SUCH_NAME : 0x80,
      0,
      1,
      0,
      records.length,
      0,
      0,
      0,
      0,
    ]);
    query.copy(head, 0, 0, 2);
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

test('both families are asked for, either will do, and a name without an address is a failure', async (t) => {
  const resolve = dnsResolver([
    await startNameServer(t, {
      'both.test': ['198.51.100.7', '198.51.100.8', '2001:db8::7'],
      'four.test': ['198.51.100.7'],
      'six.test': ['2001:db8::7'],
      'empty.test': [],
    }),
  ]);
  assert.deepEqual((await resolve('both.test')).sort(), ['198.51.100.7', '198.51.100.8', '2001:db8::7']);
  assert.deepEqual(await resolve('four.test'), ['198.51.100.7']);
  assert.deepEqual(await resolve('four.test.'), ['198.51.100.7']);
  assert.deepEqual(await resolve('six.test'), ['2001:db8::7']);
  await assert.rejects(resolve('empty.test'), { code: 'ENODATA' });
  await assert.rejects(resolve('missing.test'), { code: 'ENOTFOUND' });
});

test('what a real name server says of a private host is refused, and told like a host that is none', async (t) => {
  const server = await startNameServer(t, { 'inside.test': ['127.0.0.1'], 'mixed.test': ['8.8.8.8', '::1'] });
  const client = createGuardedClient({ allowPrivate: false, resolve: dnsResolver([server]) });
  t.after(() => client.close());
  for (const host of ['inside.test', 'mixed.test', 'missing.test']) {
    await assert.rejects(client.open(`http://${host}/`, { idleMs: 5000 }), {
      name: 'NetError',
      message: 'its host name cannot be resolved to a public address',
    });
  }
});

test('the local view knows the names of this machine', async () => {
  const addresses = await resolveLocalHost('localhost');
  assert(addresses.length > 0);
  for (const address of addresses) assert(address === '127.0.0.1' || address === '::1', address);
});
