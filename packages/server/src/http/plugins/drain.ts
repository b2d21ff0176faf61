import type { IncomingMessage, ServerResponse } from 'node:http';

/** Longest time for which the body of a refused request is read. */
const DRAIN_MS = 5000;

/**
 * Reads the body of a refused request for a short time. A client that sends its whole body before
 * it reads would otherwise see a broken connection (EPIPE) and never the answer. If the body does
 * not end, the connection is closed.
 */
export function drainBriefly(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  if (request.headers.expect !== undefined && !continued.has(request)) {
    // The client was not asked for its body but may still send it, so this connection cannot carry
    // another request.
    response.setHeader('connection', 'close');
    return;
  }
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), DRAIN_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

const continued = new WeakSet<IncomingMessage>();

/** Asks a client that sent `Expect: 100-continue` to send its body. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect === undefined || continued.has(request)) return;
  continued.add(request);
  response.writeContinue();
}
