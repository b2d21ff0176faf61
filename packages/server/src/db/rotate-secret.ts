import type pg from 'pg';
import { makeMissing, newSecret, type SecretName, SECRETS_REFRESH_MS } from './installation-secrets.ts';
import { notify } from './notifications.ts';
import { inTransaction } from './transaction.ts';

/** Time after which every process knows a new secret. Only then does the new secret sign. */
const NOTICE_MS = 3 * SECRETS_REFRESH_MS;

export interface SecretRotation {
  /** Time from which the new secret signs, on each machine at most `SECRETS_REFRESH_MS` later. */
  readonly signsFrom: Date;
  /**
   * Time until which signatures of the former secret are valid; null if they became invalid at
   * once.
   */
  readonly formerUntil: Date | null;
}

/**
 * Makes a new secret. Former secrets stay valid for `lifetimeMs`, the longest lifetime of what they
 * signed; null makes them invalid at once.
 */
export async function rotateSecret(
  pool: pg.Pool,
  name: SecretName,
  lifetimeMs: number | null,
): Promise<SecretRotation> {
  await makeMissing(pool);
  const rotation = await inTransaction(pool, async (client) => {
    await client.query('select 1 from installation_secrets where name = $1 for update', [name]);
    await client.query('delete from former_secrets where checks_until <= now()');
    const isOver = lifetimeMs === null;
    if (isOver) await client.query('delete from former_secrets where name = $1', [name]);
    // Machines sign with the former secret until they read the secrets after the change.
    const goodForMs = NOTICE_MS + SECRETS_REFRESH_MS + (lifetimeMs ?? 0);
    const former = isOver
      ? null
      : await client.query<{ until: Date }>(
          `insert into former_secrets (name, secret, signs_from, checks_until)
           select name, secret, signs_from, statement_timestamp() + $2::float8 * interval '1 ms'
           from installation_secrets where name = $1
           returning checks_until as until`,
          [name, goodForMs],
        );
    const { rows } = await client.query<{ from: Date }>(
      `update installation_secrets set secret = $2, created_at = now(),
         signs_from = statement_timestamp() + $3::float8 * interval '1 ms'
       where name = $1
       returning signs_from as from`,
      [name, newSecret(), isOver ? 0 : NOTICE_MS],
    );
    return { signsFrom: rows[0]!.from, formerUntil: former?.rows[0]!.until ?? null };
  });
  await notify(pool, 'guise_secrets', name);
  return rotation;
}
