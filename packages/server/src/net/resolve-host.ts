import { lookup, Resolver } from 'node:dns/promises';

/**
 * Resolves a host name to all of its addresses, at least one.
 * @throws if it has none or no server answers.
 */
export type ResolveHost = (host: string) => Promise<string[]>;

/** Longest wait for one try at a name. */
const DNS_TIMEOUT_MS = 3000;

/** Tries at a name. */
const DNS_TRIES = 2;

/**
 * DNS itself. The operating system's lookup would occupy one of the few threads that also serve
 * file access, for as long as a hostile name server likes.
 * @param servers `ADDRESS:PORT`; those that the system uses unless given.
 */
export function dnsResolver(servers?: readonly string[]): ResolveHost {
  return async (host) => {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
    return addresses;
  };
}

/**
 * The operating system's view: hosts files and search domains too, where private hosts are wanted.
 */
export const resolveLocalHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);
