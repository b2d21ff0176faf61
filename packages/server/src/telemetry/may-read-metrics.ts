import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import { isLoopbackHost } from './is-loopback-host.ts';

/**
 * Tokens that allow reading the metrics from other machines. If both are null, only this machine
 * may read them.
 */
export type OperatorTokens = Pick<Config, 'operatorToken' | 'previousOperatorToken'>;

/**
 * Returns whether a request may read the metrics: it comes from this machine with a matching Host
 * header, or has the current or previous operator's token.
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
  // Requests through a proxy on this machine also come from loopback. The proxy's headers show
  // this.
  if (forwarded !== undefined || forwardedFor !== undefined) return false;
  return isLoopback(socket.remoteAddress ?? '') && isLoopbackHost(host);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/**
 * Compares two texts in constant time. Compares hashes, so that the time does not reveal lengths
 * either.
 */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
