import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface LoopbackServer {
  readonly port: number;
  /** Returns the number of connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a real HTTP server on the loopback addresses that counts all connections. */
export async function startLoopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse, socket: Socket) => void,
): Promise<LoopbackServer> {
  let connections = 0;
  const server = createServer((request, response) => answer(request, response, request.socket));
  server.on('connection', () => (connections += 1));
  server.listen(0, '::');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
