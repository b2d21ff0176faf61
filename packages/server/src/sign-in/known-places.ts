import { createHmac, type KeyObject } from 'node:crypto';
import type { Database, Queryable } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import type { SecretRing } from '../db/installation-secrets.ts';
import { newToken } from './email-links.ts';
import { networksOf } from './networks.ts';
import type { Visitor } from './sessions.ts';

/** A network or device from which an account has signed in before. */
export interface KnownPlace {
  readonly kind: 'device' | 'network';
  /** Keyed hash (HMAC) of the place, different for every account. */
  readonly id: string;
}

/**
 * Records from where accounts have signed in before. Failed attempts of strangers do not lock
 * people out at these places.
 */
export interface KnownPlaces {
  /**
   * Finds the place of a visitor, in the same time if there is no account.
   * @returns the device, else the network, else null.
   */
  find(accountId: string | null, visitor: Visitor): Promise<KnownPlace | null>;
  /** Remembers the visitor's network and device. @returns the device's Set-Cookie header. */
  remember(accountId: string, visitor: Visitor): Promise<string>;
  /**
   * Forgets all places except the visitor's network, so that a stolen device is unknown after a
   * change of password.
   */
  startAnew(db: Queryable, accountId: string, visitor: Visitor): Promise<void>;
}

/** Days after which an unused place is forgotten. */
export const KNOWN_PLACE_DAYS = 90;

/**
 * Largest number of known places of an account. Beyond this, the one unused for longest is
 * forgotten.
 */
export const MAX_KNOWN_PLACES = 20;

/** Path to which the cookie is sent: the routes for signing in. */
const COOKIE_PATH = '/account/auth';

/** Lifetime of the cookie that identifies a device. */
const COOKIE_SECONDS = KNOWN_PLACE_DAYS * 24 * 3600;

/** Id that is looked up if there is no account, so that the answer takes the same time. */
const NO_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000';

export function createKnownPlaces(options: {
  readonly db: Database;
  /** Secrets that hide the places in the table. */
  readonly secrets: SecretRing;
  readonly publicUrl: string;
}): KnownPlaces {
  const { db, secrets } = options;
  const isSecure = options.publicUrl.startsWith('https:');
  const cookieName = isSecure ? '__Secure-guise.device' : 'guise.device';
  const cookiePattern = new RegExp(`(?:^|; *)${cookieName}=([\\w-]{43})(?:;|$)`);

  const hashOf = (accountId: string, place: Place): Buffer => hashBy(secrets.signing(), accountId, place);
  const deviceOf = ({ cookie }: Visitor): string => cookiePattern.exec(cookie)?.[1] ?? '';

  async function find(account: string | null, visitor: Visitor): Promise<KnownPlace | null> {
    const accountId = account ?? NO_ACCOUNT_ID;
    const hashesOf = (place: Place): Buffer[] =>
      secrets.accepted().map((secret) => hashBy(secret, accountId, place));
    const devices = hashesOf(['device', deviceOf(visitor)]);
    const networks = hashesOf(networkOf(visitor));
    const { rows } = await db.pool.query<{ hash: Buffer }>(
      `select hash from known_places where account_id = $1 and hash = any($2)
         and seen_at > now() - $3::float8 * interval '1 day'`,
      [accountId, [...devices, ...networks], KNOWN_PLACE_DAYS],
    );
    const isKnown = (hash: Buffer): boolean => rows.some((row) => row.hash.equals(hash));
    const device = devices.find(isKnown);
    if (device !== undefined) return { kind: 'device', id: device.toString('hex') };
    const network = networks.find(isKnown);
    return network === undefined ? null : { kind: 'network', id: network.toString('hex') };
  }

  return {
    find,
    async remember(accountId, visitor) {
      // A cookie of another account may have been planted by somebody who knows it.
      const isOwn = (await find(accountId, visitor))?.kind === 'device';
      const device = isOwn ? deviceOf(visitor) : newToken().token;
      await addPlaces(db.pool, accountId, [
        hashOf(accountId, networkOf(visitor)),
        hashOf(accountId, ['device', device]),
      ]);
      const secure = isSecure ? '; Secure' : '';
      return `${cookieName}=${device}; Max-Age=${COOKIE_SECONDS}; Path=${COOKIE_PATH}; HttpOnly; SameSite=Strict${secure}`;
    },
    async startAnew(client, accountId, visitor) {
      await client.query(
        `delete from known_places where account_id = $1 and hash in (
           select hash from known_places where account_id = $1 order by hash for update)`,
        [accountId],
      );
      await addPlaces(client, accountId, [hashOf(accountId, networkOf(visitor))]);
    },
  };
}

/** A device's token, or the narrowest network of an address. */
type Place = readonly [kind: KnownPlace['kind'], value: string];

function networkOf({ address }: Visitor): Place {
  return ['network', networksOf(address)[0]!];
}

/** Hashes a place for one account, so that places of accounts cannot be compared. */
function hashBy(secret: KeyObject, accountId: string, [kind, value]: Place): Buffer {
  return createHmac('sha256', secret).update(`${accountId} ${kind} ${value}`).digest();
}

/**
 * Adds places. All code locks rows in the order of their hashes, so that deadlocks are impossible.
 */
async function addPlaces(db: Queryable, accountId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.query(
    `insert into known_places (account_id, hash)
     select a.id, place from accounts a, unnest($2::bytea[]) as place where a.id = $1
     on conflict (account_id, hash) do update set seen_at = now()`,
    [accountId, hashes.toSorted(Buffer.compare)],
  );
  await db.query(
    `delete from known_places where account_id = $1 and hash in (
       select hash from known_places where account_id = $1 order by seen_at desc, hash offset $2
       for update skip locked)`,
    [accountId, MAX_KNOWN_PLACES],
  );
}

/** Deletes places that were unused for long. */
export async function pruneKnownPlaces(db: Database): Promise<void> {
  const isUnused = `seen_at <= now() - $1::float8 * interval '1 day'`;
  await deleteInBatches(db.pool, 'known_places', isUnused, [KNOWN_PLACE_DAYS]);
}
