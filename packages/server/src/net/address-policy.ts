import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns whether a connection to this address may be made. Takes addresses as sockets and
 * resolvers write them.
 */
export type AddressPolicy = (address: string) => boolean;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Metadata service. Its address is in a public range but only reachable from the asking machine.
 */
const METADATA_V4 = ranges(['168.63.129.16/32']);

/** Private and loopback IPv4 networks, which an operator may allow. */
const PRIVATE_V4 = ranges(['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']);

/** Public unicast IPv6 addresses (the only block that IANA has allocated). */
const GLOBAL_V6 = ranges(['2000::/3']);
/**
 * Ranges of the global block that are not public: they contain an IPv4 address (Teredo, 6to4), have
 * a special purpose or are for examples. Mapped, translated (64:ff9b::) and compatible addresses
 * are outside of the global block.
 */
const SPECIAL_V6 = ranges(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/** Private and loopback IPv6 networks, which an operator may allow. */
const PRIVATE_V6 = ranges(['::1/128', 'fc00::/7']);
/** Metadata services inside the private block: Amazon, Google, Scaleway. */
const METADATA_V6 = ranges(['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:42::42/128']);

/**
 * Makes the rule for which addresses may be reached.
 * @param options.allowPrivate also allows loopback and private ranges (RFC 1918, unique local), but
 * never
 *   link-local, metadata, shared (RFC 6598), multicast and reserved addresses.
 */
export function addressPolicy(options: { readonly allowPrivate: boolean }): AddressPolicy {
  return (address) => {
    // isIP is called first, because ipaddr.js also accepts forms such as "0x7f.1", which resolvers
    // never return. An address with a zone is never global.
    const family = isIP(address);
    if (family === 0 || address.includes('%')) return false;
    const parsed = ipaddr.parse(address);
    return family === 4 ? permitsV4(parsed, options.allowPrivate) : permitsV6(parsed, options.allowPrivate);
  };
}

function permitsV4(address: ipaddr.IPv4 | ipaddr.IPv6, allowPrivate: boolean): boolean {
  if (isIn(address, METADATA_V4)) return false;
  return address.range() === 'unicast' || (allowPrivate && isIn(address, PRIVATE_V4));
}

function permitsV6(address: ipaddr.IPv4 | ipaddr.IPv6, allowPrivate: boolean): boolean {
  if (isIn(address, METADATA_V6)) return false;
  if (isIn(address, GLOBAL_V6)) return !isIn(address, SPECIAL_V6);
  return allowPrivate && isIn(address, PRIVATE_V6);
}

function ranges(texts: readonly string[]): Range[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, blocks: readonly Range[]): boolean {
  return blocks.some((block) => address.match(block));
}
