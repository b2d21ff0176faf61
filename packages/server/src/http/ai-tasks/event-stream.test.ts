import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { EventStream, type StreamBudget } from './event-stream.ts';

/** Bytes of the events that are sent: what a batch with long names of files comes to. */
const EVENT_BYTES = 30_000;

let server: Server;
let clients: Socket[];
beforeEach(async () => {
  clients = [];
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  mock.timers.reset();
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A client that asks and never reads, and the answer to it. */
async function askWithoutReading(): Promise<ServerResponse> {
  const request = once(server, 'request');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  const [, raw] = (await request) as [unknown, ServerResponse];
  raw.writeHead(200);
  return raw;
}

/** Sends events until there is no room. */
async function fill(stream: EventStream): Promise<void> {
  // What the kernel takes is known some turns later.
  for (let turnsFull = 0; turnsFull < 20; turnsFull++) {
    if (stream.hasRoom) {
      stream.send('x'.repeat(EVENT_BYTES));
      turnsFull = 0;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a stream whose client never reads ends, and nothing is written after its end', async () => {
  const raw = await askWithoutReading();
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const stream = new EventStream(raw, { bytes: 0 });
  await fill(stream);
  const errors: unknown[] = [];
  raw.on('error', (error) => errors.push(error));
  const closed = once(raw, 'close');
  stream.end();
  stream.end();
  // The comments' time comes, and that of the last bytes.
  mock.timers.tick(4999);
  stream.send('late');
  assert.equal(raw.destroyed, false);
  mock.timers.tick(15_000);
  await closed;
  assert.deepEqual(errors, []);
});

test('a client that takes nothing for half a minute is let go', async () => {
  const raw = await askWithoutReading();
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const stream = new EventStream(raw, { bytes: 0 });
  await fill(stream);
  const { writableLength } = raw;
  mock.timers.tick(29_999);
  assert.equal(raw.writableLength, writableLength, 'no comment joins what is not read');
  const closed = once(raw, 'close');
  mock.timers.tick(1);
  await closed;
});

test('a client that reads on finds room again, and keeps its stream', async () => {
  const raw = await askWithoutReading();
  const budget: StreamBudget = { bytes: 0 };
  const stream = new EventStream(raw, budget);
  await fill(stream);
  assert.equal(stream.hasRoom, false);
  clients[0]!.resume();
  while (budget.bytes > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(stream.hasRoom, true);
});

test('two hundred streams that are not read stay within a budget of memory', async () => {
  const budget: StreamBudget = { bytes: 0 };
  const raws: ServerResponse[] = [];
  for (let i = 0; i < 200; i++) {
    const raw = await askWithoutReading();
    raws.push(raw);
    await fill(new EventStream(raw, budget));
    assert.ok(raw.writableLength <= 256 * 1024 + 2 * EVENT_BYTES, `stream ${i} holds ${raw.writableLength}`);
  }
  const heldBytes = raws.reduce((sum, raw) => sum + raw.writableLength, 0);
  // Each may have an event of its own beyond the budget.
  assert.ok(heldBytes <= 32 * 1024 * 1024 + 200 * EVENT_BYTES, `${heldBytes} bytes are held`);
  const closings = raws.map((raw) => once(raw, 'close'));
  for (const client of clients) client.destroy();
  await Promise.all(closings);
  assert.equal(budget.bytes, 0);
});
