import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import { notPublic, notResolved } from './check-url.ts';
import type { ResolveHost } from './resolve-host.ts';

/**
 * Makes a connector that connects only to addresses that `permits` allows. The checked addresses
 * are those that the socket uses, so a name server gains nothing by giving another answer the next
 * time.
 */
export function guardedConnect(
  permits: AddressPolicy,
  resolve: ResolveHost,
  timeoutMs: number,
): buildConnector.connector {
  const find = callbackify((host: string) => findPermitted(host, permits, resolve));
  const lookup: LookupFunction = (host, options, callback) =>
    find(host, (error, found) => {
      if (error !== null) return callback(error, '');
      if (options.all === true) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
  const connect = buildConnector({
    lookup,
    timeout: timeoutMs,
    autoSelectFamily: true,
    allowH2: false,
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    // Sockets do not look up IP addresses.
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !permits(host)) return callback(notPublic(), null);
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      if (!permits(socket.remoteAddress ?? '')) {
        socket.destroy();
        return callback(notPublic(), null);
      }
      callback(null, socket);
    });
  };
}

async function findPermitted(
  host: string,
  permits: AddressPolicy,
  resolve: ResolveHost,
): Promise<LookupAddress[]> {
  let addresses: string[];
  try {
    addresses = await resolve(host);
  } catch (error) {
    throw notResolved(error);
  }
  // One forbidden address is enough to refuse the host, because we cannot choose which address is
  // used.
  if (addresses.length === 0 || !addresses.every(permits)) throw notResolved();
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
