import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from './is-loopback-host.ts';

/**
 * Returns whether a request may read metrics: it comes from this machine and names it, or carries
 * the operator's token.
 */
export function mayReadMetrics(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  operatorToken: string | null,
): boolean {
  const { authorization, forwarded, host, 'x-forwarded-for': forwardedFor } = headers;
  if (operatorToken !== null && authorization !== undefined) {
    return sameText(authorization, `Bearer ${operatorToken}`);
  }
  // Behind a proxy on this machine everybody comes from loopback; the proxy's headers give that
  // away.
  if (forwarded !== undefined || forwardedFor !== undefined) return false;
  return isLoopback(socket.remoteAddress ?? '') && isLoopbackHost(host);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/**
 * Compares two texts in constant time; hashes of one length, so that lengths show nothing either.
 */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
