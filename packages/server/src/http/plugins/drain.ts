import type { IncomingMessage, ServerResponse } from 'node:http';

/** Longest time for which the body of a refused request is read away. */
const DRAIN_MS = 5000;

/**
 * Reads on for a while after an early refusal. A client that writes its whole body before it reads
 * would otherwise find the connection broken (EPIPE) and never see the answer; one that never stops
 * is cut off.
 */
export function drainBriefly(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  if (request.headers.expect !== undefined && !continued.has(request)) {
    // The client was not asked for its body and may still send it: this connection cannot carry
    // another request.
    response.setHeader('connection', 'close');
    return;
  }
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), DRAIN_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

const continued = new WeakSet<IncomingMessage>();

/**
 * Lets a client that asked (`Expect: 100-continue`) send its body; until then it has cost nobody
 * anything.
 */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect === undefined || continued.has(request)) return;
  continued.add(request);
  response.writeContinue();
}
