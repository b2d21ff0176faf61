import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { mayReadMetrics, type OperatorTokens } from './may-read-metrics.ts';

export interface StatusPortOptions {
  readonly host: string;
  /** Port number; 0 means any free port. */
  readonly port: number;
  readonly registry: Registry;
  readonly tokens: OperatorTokens;
  /** Returns whether the worker takes tasks. */
  readonly isReady: () => boolean;
}

export interface StatusPort {
  readonly port: number;
  close(): void;
}

/** Opens a worker's only port, with `/livez`, `/readyz` and `/metrics`. */
export async function openStatusPort(options: StatusPortOptions): Promise<StatusPort> {
  const server = createServer((request, response) => void answer(request, response, options));
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(options.port, options.host, () => listening.resolve());
  await listening.promise;
  return {
    port: (server.address() as AddressInfo).port,
    close: () => void server.close().closeAllConnections(),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { registry, tokens, isReady }: StatusPortOptions,
): Promise<void> {
  switch (request.url) {
    case '/livez':
      return send(response, 200, { status: 'live' });
    case '/readyz':
      return isReady()
        ? send(response, 200, { status: 'ready' })
        : send(response, 503, { error: 'The worker is starting or stopping, so it takes no tasks.' });
    case '/metrics':
      if (!mayReadMetrics(request, tokens)) {
        return send(response, 403, {
          error: 'Metrics are shown to requests from this machine or with the operator token.',
        });
      }
      try {
        const text = await registry.metrics();
        response.writeHead(200, { 'content-type': registry.contentType }).end(text);
      } catch {
        send(response, 500, { error: 'The metrics could not be read.' });
      }
      return;
    default:
      send(response, 404, { error: 'Only /livez, /readyz and /metrics are here.' });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
