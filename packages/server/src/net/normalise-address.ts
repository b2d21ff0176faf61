import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A client's address as the database compares it: IPv4 where IPv6 sockets show it mapped, no zone.
 * @returns null if it is no address, as a proxy's header may well say.
 */
export function normaliseAddress(text: string): string | null {
  const address = text.replace(/%.*$/, '');
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}
