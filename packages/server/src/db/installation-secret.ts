import { randomBytes } from 'node:crypto';
import type pg from 'pg';

/** Random bytes of a secret. */
const SECRET_BYTES = 32;

/**
 * 32 random bytes under a name: made by whichever process asks first, the same for all from then
 * on.
 */
export async function installationSecret(db: pg.Pool, name: string): Promise<Buffer> {
  await db.query('insert into installation_secrets (name, secret) values ($1, $2) on conflict do nothing', [
    name,
    randomBytes(SECRET_BYTES),
  ]);
  const { rows } = await db.query<{ secret: Buffer }>(
    'select secret from installation_secrets where name = $1',
    [name],
  );
  return rows[0]!.secret;
}
