import { isIP } from 'node:net';
import { type AddressPolicy, addressPolicy } from './address-policy.ts';
import { BAD_PORTS } from './bad-ports.ts';
import { NetError } from './net-error.ts';

/** Longest URL that a client may send, in characters. */
const MAX_URL_LENGTH = 2048;

/**
 * Checks a URL without any network access: http or https, at most 2048 characters, no credentials,
 * and no host that is clearly not public. The address is checked again at every connection.
 * @throws NetError UNREACHABLE
 */
export function checkPublicUrl(text: string, options: { readonly allowPrivate: boolean }): URL {
  if (text.length > MAX_URL_LENGTH) {
    throw new NetError('UNREACHABLE', `the URL is longer than ${MAX_URL_LENGTH} characters`);
  }
  return checkUrl(text, addressPolicy(options));
}

/**
 * Checks a URL or a redirect by the same rules, except for the length.
 * @param base URL to which a relative redirect refers.
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
    throw new NetError(
      'UNREACHABLE',
      'its port is not allowed, because it belongs to another kind of service',
    );
  }
  if (!mayBePublic(url.hostname, permits)) throw notPublic();
  return url;
}

/** Makes the error for a URL whose host is not a public address. */
export function notPublic(): NetError {
  return new NetError('UNREACHABLE', 'its host has no public address');
}

/**
 * Makes the error for a host name. It is the same for a missing name and a private address, so that
 * nobody can explore our network with it.
 */
export function notResolved(cause?: unknown): NetError {
  return new NetError('UNREACHABLE', 'its host name cannot be resolved to a public address', cause);
}

/**
 * Returns whether a host may be public. The URL parser has already converted all forms of IPv4
 * addresses (decimal, octal, hexadecimal, short, full-width, trailing dot) to the dotted form.
 */
function mayBePublic(hostname: string, permits: AddressPolicy): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return permits(host);
  // These names always mean loopback, even if DNS says otherwise (RFC 6761).
  if (/(^|\.)localhost\.?$/.test(host)) return permits('127.0.0.1') || permits('::1');
  return true;
}
