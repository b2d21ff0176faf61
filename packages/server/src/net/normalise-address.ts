import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Converts a client's address to the form that the database compares: without a zone, and IPv4
 * instead of IPv4-mapped IPv6.
 * @returns null for a text that is not an address, which a proxy's header may contain.
 */
export function normaliseAddress(text: string): string | null {
  const address = text.replace(/%.*$/, '');
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}
