import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import { isLoopbackHost } from './is-loopback-host.ts';

/** Tokens that open the metrics beyond this machine; both null: they stay on it. */
export type OperatorTokens = Pick<Config, 'operatorToken' | 'previousOperatorToken'>;

/**
 * Returns whether a request may read metrics: it comes from this machine and names it, or carries
 * the operator's token, or the one before it.
 */
export function mayReadMetrics(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { operatorToken, previousOperatorToken }: OperatorTokens,
): boolean {
  const { authorization, forwarded, host, 'x-forwarded-for': forwardedFor } = headers;
  const tokens = [operatorToken, previousOperatorToken].filter((each) => each !== null);
  if (tokens.length > 0 && authorization !== undefined) {
    return tokens.some((token) => sameText(authorization, `Bearer ${token}`));
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
