import { isIPv6 } from 'node:net';

/**
 * Lists the networks in which attempts from an address are counted, the narrowest first: an IPv4
 * address by itself, an IPv6 address by /64, /56 and /48, because one customer may have a network
 * of any of these sizes.
 */
export function networksOf(address: string): string[] {
  if (!isIPv6(address)) return [address];
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return [mapped];
  const [first, second, third, fourth] = groupsOf(address);
  const site = [first, second, third];
  return [
    `${toText([...site, fourth!])}::/64`,
    `${toText([...site, fourth! & 0xff00])}::/56`,
    `${toText(site)}::/48`,
  ];
}

function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = address.split('%')[0]!.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

function toText(groups: readonly (number | undefined)[]): string {
  return groups.map((group) => group!.toString(16)).join(':');
}
