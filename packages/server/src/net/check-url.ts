import { isIP } from 'node:net';
import { type AddressPolicy, addressPolicy } from './address-policy.ts';
import { BAD_PORTS } from './bad-ports.ts';
import { NetError } from './net-error.ts';

/** Characters of a URL that a client may send. */
const MAX_URL_LENGTH = 2048;

/**
 * Checks a URL without asking any server: http or https, at most 2048 characters, no credentials,
 * and no host whose spelling is not public. The address is checked at every connection as well.
 * @throws NetError UNREACHABLE
 */
export function checkPublicUrl(text: string, options: { readonly allowPrivate: boolean }): URL {
  if (text.length > MAX_URL_LENGTH) {
    throw new NetError('UNREACHABLE', `the URL is longer than ${MAX_URL_LENGTH} characters`);
  }
  return checkUrl(text, addressPolicy(options));
}

/**
 * Checks a URL or a redirect, by the same rules apart from its length.
 * @param base what a relative reference (a redirect) starts from.
 * @throws NetError UNREACHABLE
 */
export function checkUrl(text: string, permits: AddressPolicy, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new NetError('UNREACHABLE', 'it is not a valid URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NetError('UNREACHABLE', 'only http and https URLs are fetched');
  }
  if (url.username !== '' || url.password !== '') {
    throw new NetError('UNREACHABLE', 'a URL must not hold a user name or password');
  }
  if (BAD_PORTS.has(Number(url.port))) {
    throw new NetError('UNREACHABLE', 'its port belongs to another kind of service');
  }
  if (!mayBePublic(url.hostname, permits)) throw notPublic();
  return url;
}

/** Refuses an address that is not public, as the URL itself spells it. */
export function notPublic(): NetError {
  return new NetError('UNREACHABLE', 'its host has no public address');
}

/**
 * One sentence for a name that does not exist and one that is not public, so that nobody maps a
 * network by it.
 */
export function notResolved(cause?: unknown): NetError {
  return new NetError('UNREACHABLE', 'its host name cannot be resolved to a public address', cause);
}

/**
 * The URL parser has already turned every spelling of an IPv4 address (decimal, octal, hexadecimal,
 * short, full-width, trailing dot) into the dotted one.
 */
function mayBePublic(hostname: string, permits: AddressPolicy): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return permits(host);
  // RFC 6761: these names mean loopback, even if DNS says otherwise.
  if (/(^|\.)localhost\.?$/.test(host)) return permits('127.0.0.1') || permits('::1');
  return true;
}
