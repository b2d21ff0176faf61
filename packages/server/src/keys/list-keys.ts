import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { makeMissing, SECRET_NAMES } from '../db/installation-secrets.ts';

/** A key of the installation, without the key. */
export interface KeyState {
  readonly name: string;
  readonly restsIn: 'database' | 'environment' | 'files';
  /** Time it was made; null if only the operator knows. */
  readonly madeAt: Date | null;
  /** Last moment at which what a former one signed is good; null if there is no former one. */
  readonly formerUntil: Date | null;
  /** What rotates it: a command, or a variable to change. */
  readonly rotatedBy: string;
}

type KeysConfig = Pick<
  Config,
  'signing' | 'encryptionKey' | 'operatorToken' | 's3' | 'smtpUrl' | 'databaseUrl'
>;

/** Lists the keys of the installation as a whole; accounts have theirs beside them. */
export async function listKeys(config: KeysConfig, pool: pg.Pool): Promise<KeyState[]> {
  await makeMissing(pool);
  const { rows } = await pool.query<{ name: string; made_at: Date; former_until: Date | null }>(
    `select name, created_at as made_at,
       (select max(checks_until) from former_secrets f where f.name = s.name and checks_until > now())
         as former_until
     from installation_secrets s where name = any($1)
     order by array_position($1, name)`,
    [SECRET_NAMES],
  );
  return [
    ...rows.map((row) => ({
      name: row.name,
      restsIn: 'database' as const,
      madeAt: row.made_at,
      formerUntil: row.former_until,
      rotatedBy: `guise keys rotate ${row.name}`,
    })),
    await signingKey(config, pool),
    ...variables(config).map((name) => ({
      name,
      restsIn: 'environment' as const,
      madeAt: null,
      formerUntil: null,
      rotatedBy: ROTATED_BY[name] ?? `change ${name} and restart`,
    })),
  ];
}

/** Ways to rotate variables that take more than a restart. */
const ROTATED_BY: Record<string, string> = {
  GUISE_ENCRYPTION_KEY: 'GUISE_PREVIOUS_ENCRYPTION_KEY, then guise keys rotate encryption',
  GUISE_OPERATOR_TOKEN: 'GUISE_PREVIOUS_OPERATOR_TOKEN',
};

async function signingKey({ signing }: KeysConfig, pool: pg.Pool): Promise<KeyState> {
  const key = { name: 'signing', formerUntil: null };
  if (signing !== null) {
    const rotatedBy = 'replace the files of GUISE_SIGNING_CERTIFICATE and GUISE_SIGNING_KEY';
    return { ...key, restsIn: 'files', madeAt: null, rotatedBy };
  }
  const { rows } = await pool.query<{ made_at: Date }>(
    'select created_at as made_at from signing_certificates where is_current',
  );
  const madeAt = rows[0]?.made_at ?? null;
  return { ...key, restsIn: 'database', madeAt, rotatedBy: 'guise signing rotate' };
}

/** Names the variables that hold a key here. */
function variables({ encryptionKey, operatorToken, s3, smtpUrl, databaseUrl }: KeysConfig): string[] {
  const set: Record<string, boolean> = {
    GUISE_ENCRYPTION_KEY: encryptionKey !== null,
    GUISE_OPERATOR_TOKEN: operatorToken !== null,
    GUISE_S3_SECRET_ACCESS_KEY: s3 !== null && s3.credentials !== null,
    GUISE_SMTP_URL: smtpUrl !== null,
    DATABASE_URL: databaseUrl !== null,
  };
  return Object.keys(set).filter((name) => set[name]);
}
