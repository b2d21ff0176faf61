import { lookup, Resolver } from 'node:dns/promises';

/**
 * Resolves a host name to all its addresses, at least one.
 * @throws if it has none or no server answers.
 */
export type ResolveHost = (host: string) => Promise<string[]>;

/** Longest wait for one attempt to resolve a name. */
const DNS_TIMEOUT_MS = 3000;

/** Number of attempts to resolve a name. */
const DNS_TRIES = 2;

/**
 * Makes a resolver that uses DNS. The operating system's lookup would occupy one of the few threads
 * that are also needed for files, for as long as a hostile name server wants.
 * @param servers `ADDRESS:PORT`; the system's servers by default.
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
 * Resolves names with the operating system, which also uses hosts files and search domains. For
 * installations that allow private hosts.
 */
export const resolveLocalHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);
