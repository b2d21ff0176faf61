import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { makeMissing, SECRET_NAMES } from '../db/installation-secrets.ts';

/** Description of a key of the installation, without the key itself. */
export interface KeyState {
  readonly name: string;
  readonly restsIn: 'database' | 'environment' | 'files';
  /** Time when the key was made; null if only the operator knows. */
  readonly madeAt: Date | null;
  /** Age of the key in whole days; null if only the operator knows. */
  readonly ageDays: number | null;
  /** Time until which signatures of a former key are valid; null if there is no former key. */
  readonly formerUntil: Date | null;
  /** How to rotate the key: a command, or a variable to change. */
  readonly rotatedBy: string;
}

type KeysConfig = Pick<
  Config,
  | 'signing'
  | 'encryptionKey'
  | 'previousEncryptionKey'
  | 'operatorToken'
  | 'previousOperatorToken'
  | 's3'
  | 'smtpUrl'
  | 'databaseUrl'
  | 'databaseDirectUrl'
>;

/**
 * Lists the keys of the whole installation. Accounts also have their own keys, which are not
 * listed.
 */
export async function listKeys(config: KeysConfig, pool: pg.Pool): Promise<KeyState[]> {
  await makeMissing(pool);
  const { rows } = await pool.query<StoredKey & { name: string; former_until: Date | null }>(
    `select name, ${MADE_AND_AGE},
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
      ageDays: row.age_days,
      formerUntil: row.former_until,
      rotatedBy: `guise keys rotate ${row.name}`,
    })),
    await signingKey(config, pool),
    ...variables(config).map((name) => ({
      name,
      restsIn: 'environment' as const,
      madeAt: null,
      ageDays: null,
      formerUntil: null,
      rotatedBy: ROTATED_BY[name] ?? `change ${name} and restart`,
    })),
  ];
}

interface StoredKey {
  readonly made_at: Date;
  readonly age_days: number;
}

/** SQL for the time when a row was made and its age, by the database's clock. */
const MADE_AND_AGE = `created_at as made_at, floor(extract(epoch from now() - created_at) / 86400)::int as age_days`;

/** How to rotate variables that need more than a restart. */
const ROTATED_BY: Record<string, string> = {
  GUISE_ENCRYPTION_KEY:
    'change it, with the old one as GUISE_PREVIOUS_ENCRYPTION_KEY, restart, then guise keys rotate encryption',
  GUISE_OPERATOR_TOKEN: 'change it, with the old one as GUISE_PREVIOUS_OPERATOR_TOKEN, and restart',
  GUISE_PREVIOUS_ENCRYPTION_KEY: 'take it away after guise keys rotate encryption',
  GUISE_PREVIOUS_OPERATOR_TOKEN: 'take it away when everybody uses the new one',
};

async function signingKey({ signing }: KeysConfig, pool: pg.Pool): Promise<KeyState> {
  const key = { name: 'signing', formerUntil: null };
  if (signing !== null) {
    const rotatedBy = 'replace the files of GUISE_SIGNING_CERTIFICATE and GUISE_SIGNING_KEY';
    return { ...key, restsIn: 'files', madeAt: null, ageDays: null, rotatedBy };
  }
  const { rows } = await pool.query<StoredKey>(
    `select ${MADE_AND_AGE} from signing_certificates where is_current`,
  );
  const { made_at: madeAt = null, age_days: ageDays = null } = rows[0] ?? {};
  return { ...key, restsIn: 'database', madeAt, ageDays, rotatedBy: 'guise signing rotate' };
}

/** Returns the names of the variables that contain a key. */
function variables(config: KeysConfig): string[] {
  const set: Record<string, boolean> = {
    GUISE_ENCRYPTION_KEY: config.encryptionKey !== null,
    GUISE_PREVIOUS_ENCRYPTION_KEY: config.previousEncryptionKey !== null,
    GUISE_OPERATOR_TOKEN: config.operatorToken !== null,
    GUISE_PREVIOUS_OPERATOR_TOKEN: config.previousOperatorToken !== null,
    GUISE_S3_SECRET_ACCESS_KEY: config.s3 !== null && config.s3.credentials !== null,
    GUISE_SMTP_URL: config.smtpUrl !== null,
    DATABASE_URL: config.databaseUrl !== null,
    DATABASE_DIRECT_URL: config.databaseDirectUrl !== null,
  };
  return Object.keys(set).filter((name) => set[name]);
}
