import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '@guise/contract/errors.ts';
import type { Database, Queryable } from '../db/database.ts';

/** Largest number of ranges of one account. */
const MAX_RANGES = 100;

/**
 * Returns the address ranges (CIDR) from which the account's keys work while its plan is
 * enterprise. An empty list allows all addresses.
 */
export async function getIpAllowlist(db: Database, accountId: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ ranges: string[] }>(
    'select ip_allowlist::text[] as ranges from accounts where id = $1',
    [accountId],
  );
  return rows[0]?.ranges ?? [];
}

/**
 * Replaces the list, from the account's next request on. The list applies only while the plan is
 * enterprise.
 * @param ranges IPv4 or IPv6, `ADDRESS` or `ADDRESS/BITS`; the bits after BITS must be zero.
 * @returns the list as stored; null if there is no such account.
 * @throws AppError INVALID_REQUEST naming the first invalid range.
 */
export async function setIpAllowlist(
  db: Queryable,
  accountId: string,
  ranges: readonly string[],
): Promise<string[] | null> {
  if (ranges.length > MAX_RANGES) {
    throw new AppError('INVALID_REQUEST', `At most ${MAX_RANGES} address ranges are allowed.`, {
      limit: MAX_RANGES,
    });
  }
  for (const range of ranges) {
    if (!isRange(range)) {
      throw new AppError(
        'INVALID_REQUEST',
        `"${range}" is not an address range such as 198.51.100.0/24 or 2001:db8::/32. All bits after the prefix must be 0.`,
      );
    }
  }
  const { rows } = await db.query<{ ranges: string[] }>(
    'update accounts set ip_allowlist = $2::cidr[] where id = $1 returning ip_allowlist::text[] as ranges',
    [accountId, ranges],
  );
  return rows[0]?.ranges ?? null;
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  const parsed = ipaddr.parse(address);
  // Mapped addresses of clients are compared as IPv4, so a mapped range would match nobody.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return false;
  if (bits === undefined) return true;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const network = (family === 4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(text);
  return network.toString() === parsed.toString();
}
