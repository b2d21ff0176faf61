import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What the receiver does with a request: answer with a status (and more), or never answer. */
export type Reaction = number | { status: number; headers?: Record<string, string>; body?: string } | 'hang';

export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly requests: readonly Received[];
  /** Number of requests without an answer whose sender is still waiting. */
  readonly hanging: number;
  react: (request: Received, index: number) => Reaction;
  /** Waits until this number of requests has arrived. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that acts as a customer's endpoint on loopback. */
export async function startReceiver(react: Receiver['react'] = () => 204): Promise<Receiver> {
  const requests: Received[] = [];
  const hanging = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks) };
    requests.push(received);
    const reaction = receiver.react(received, requests.length - 1);
    if (reaction === 'hang') {
      hanging.add(response);
      response.on('close', () => hanging.delete(response));
    } else if (typeof reaction === 'number') {
      response.writeHead(reaction).end();
    } else {
      response.writeHead(reaction.status, reaction.headers).end(reaction.body);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get hanging() {
      return hanging.size;
    },
    react,
    received: async (count) => void (await eventually(() => requests.length >= count, `${count} requests`)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return receiver;
}

const DEADLINE_MS = 60_000;
const LOOK_MS = 10;

/** @throws if `look` returns nothing truthy for a minute. */
export async function eventually<T>(look: () => T | Promise<T>, what: string): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const value = await look();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await delay(LOOK_MS);
  }
}
