import { availableParallelism } from 'node:os';
import path from 'node:path';
import { SIGN_UP_MODES, type SignUpMode } from '@guise/contract/account/sign-up-mode.ts';
import { AI_TASKS_LIMITS, OUTPUT_LIFETIME_MS } from '@guise/contract/limits.ts';
import {
  type AccountLimits,
  DEFAULT_ACCOUNT_LIMITS,
  GIBIBYTE,
  PLANS,
  type Plan,
} from '@guise/contract/plans.ts';
import { DEFAULT_PRICES, type Prices } from '@guise/contract/prices.ts';

/**
 * Settings of the operator, read once from the environment at start and frozen. README lists each
 * variable.
 */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Folder of all state of this installation: database, media, models. */
  readonly dataDir: string;
  /** Start of links in answers, without a trailing slash. */
  readonly publicUrl: string;
  /** Connection string of the database; null for the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Connection string past a pooler; null: `databaseUrl` serves for all. */
  readonly databaseDirectUrl: string | null;
  /** Whether `databaseUrl` leads to a pooler in transaction mode. */
  readonly isDatabasePooled: boolean;
  readonly logLevel: string;
  /** Bearer token for `/metrics` from beyond loopback; null: loopback only. */
  readonly operatorToken: string | null;
  /** Token that opens `/metrics` as well, until everybody uses the new one. */
  readonly previousOperatorToken: string | null;
  /** Addresses (CIDR) of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /**
   * Whether media and webhook URLs may lead to loopback and private addresses; link-local and
   * metadata addresses never.
   */
  readonly allowPrivateUrls: boolean;
  /**
   * Engine processes of one worker; at least 2, because one is kept for short work: by default one
   * for each core beside it.
   */
  readonly engineSlots: number;
  /** Where a worker tells its health and metrics; null for nowhere. */
  readonly workerStatus: { readonly host: string; readonly port: number } | null;
  readonly taskDeadlineMs: number;
  /** Time for which inputs stay after their task is terminal. */
  readonly inputRetentionMs: number;
  readonly outputLifetimeMs: number;
  readonly prices: Prices;
  /** Limits of each account by its plan. */
  readonly accountLimits: Record<Plan, AccountLimits>;
  /** Address of the account that the first start creates. */
  readonly ownerEmail: string;
  readonly startingCredits: number;
  readonly startingPlan: Plan;
  /**
   * People who may create an account in the dashboard: anybody, those with an invitation, or
   * nobody.
   */
  readonly signUp: SignUpMode;
  /**
   * Mail server, `smtp://` or `smtps://`, with user and password if it wants them; null: mail goes
   * to `outbox/`.
   */
  readonly smtpUrl: string | null;
  /** Sender of all mail. */
  readonly mailFrom: string;
  /** The built dashboard. */
  readonly dashboardDir: string;
  readonly maxImagePixels: number;
  /**
   * The operator's own certificate chain and its key, PEM files; null: this installation makes its
   * own.
   */
  readonly signing: { readonly certificatePath: string; readonly keyPath: string } | null;
  /** Secret that private keys in the database are encrypted with; null: they rest in plain text. */
  readonly encryptionKey: string | null;
  /** Secret that they may still be encrypted with, during its rotation. */
  readonly previousEncryptionKey: string | null;
  /** Bucket of the media; null: they are stored in `dataDir`. */
  readonly s3: S3Config | null;
}

/** A bucket of a service that speaks S3's interface. */
export interface S3Config {
  /** URL without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /**
   * Credentials; null for those that the machine itself has, such as a role (`AWS_*`, a profile,
   * the service of the cloud).
   */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** Folder of the repository, which relative defaults start from. */
const PROJECT_ROOT = path.resolve(import.meta.dirname, '../../../..');

/** Failure of a variable that cannot be used; names it and its valid values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Longest deadline that can be configured. */
export const LONGEST_DEADLINE_SECONDS = 86_400;

/** Fewest characters of the secret that encrypts keys: 24 random bytes in base64. */
const SHORTEST_ENCRYPTION_KEY = 32;

/** Reads the configuration. @throws ConfigError naming the variable and its valid values. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const host = env.HOST || '127.0.0.1';
  const port = wholeNumber(env, 'PORT', 3000, 0, 65_535);
  return Object.freeze({
    host,
    port,
    dataDir: path.resolve(env.GUISE_DATA_DIR || path.join(PROJECT_ROOT, '.guise')),
    publicUrl: publicUrl(env, host, port),
    ...database(env),
    logLevel: oneOf(env, 'GUISE_LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    operatorToken: env.GUISE_OPERATOR_TOKEN || null,
    previousOperatorToken: env.GUISE_PREVIOUS_OPERATOR_TOKEN || null,
    trustedProxies: (env.GUISE_TRUSTED_PROXIES ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
    allowPrivateUrls: oneOf(env, 'GUISE_ALLOW_PRIVATE_URLS', '0', ['0', '1']) === '1',
    engineSlots: wholeNumber(env, 'GUISE_ENGINE_SLOTS', availableParallelism() + 1, 2, 256),
    workerStatus: workerStatus(env),
    taskDeadlineMs: wholeNumber(env, 'GUISE_TASK_DEADLINE_SECONDS', 3600, 1, LONGEST_DEADLINE_SECONDS) * 1000,
    inputRetentionMs: wholeNumber(env, 'GUISE_INPUT_RETENTION_HOURS', 0, 0, 8760) * 3_600_000,
    outputLifetimeMs: OUTPUT_LIFETIME_MS,
    prices: {
      photo: price(env, 'GUISE_PRICE_PHOTO', DEFAULT_PRICES.photo),
      batchOutput: price(env, 'GUISE_PRICE_BATCH_OUTPUT', DEFAULT_PRICES.batchOutput),
      groupFace: price(env, 'GUISE_PRICE_GROUP_FACE', DEFAULT_PRICES.groupFace),
      videoSecond: price(env, 'GUISE_PRICE_VIDEO_SECOND', DEFAULT_PRICES.videoSecond),
      videoMinimum: price(env, 'GUISE_PRICE_VIDEO_MINIMUM', DEFAULT_PRICES.videoMinimum),
      gifSecond: price(env, 'GUISE_PRICE_GIF_SECOND', DEFAULT_PRICES.gifSecond),
      gifMinimum: price(env, 'GUISE_PRICE_GIF_MINIMUM', DEFAULT_PRICES.gifMinimum),
      factor4k: price(env, 'GUISE_PRICE_4K_FACTOR', DEFAULT_PRICES.factor4k),
    },
    accountLimits: accountLimits(env),
    ownerEmail: env.GUISE_OWNER_EMAIL || 'owner@localhost',
    startingCredits: wholeNumber(env, 'GUISE_STARTING_CREDITS', 30, 0, 1_000_000_000),
    startingPlan: oneOf(env, 'GUISE_STARTING_PLAN', 'free', PLANS),
    signUp: oneOf(env, 'GUISE_SIGN_UP', 'invite', SIGN_UP_MODES),
    smtpUrl: smtpUrl(env),
    mailFrom: env.GUISE_MAIL_FROM || 'guise@localhost',
    dashboardDir: path.resolve(env.GUISE_DASHBOARD_DIR || path.join(PROJECT_ROOT, 'packages/dashboard/dist')),
    maxImagePixels: AI_TASKS_LIMITS.imagePixels,
    signing: signing(env),
    ...encryptionKeys(env),
    s3: s3(env),
  });
}

function publicUrl(env: NodeJS.ProcessEnv, host: string, port: number): string {
  if (!env.GUISE_PUBLIC_URL) return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(env.GUISE_PUBLIC_URL) || !/^https?:/.test(env.GUISE_PUBLIC_URL)) {
    throw new ConfigError('GUISE_PUBLIC_URL must be an http or https URL');
  }
  return env.GUISE_PUBLIC_URL.replace(/\/+$/, '');
}

function workerStatus(env: NodeJS.ProcessEnv): Config['workerStatus'] {
  const port = wholeNumber(env, 'GUISE_WORKER_METRICS_PORT', 0, 0, 65_535);
  return port === 0 ? null : { host: env.GUISE_WORKER_METRICS_HOST || '127.0.0.1', port };
}

/**
 * Reads how PostgreSQL is reached. Behind a pooler nobody can listen, so a way past it must be
 * given.
 */
function database(
  env: NodeJS.ProcessEnv,
): Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'isDatabasePooled'> {
  const databaseUrl = postgresUrl(env, 'DATABASE_URL');
  const databaseDirectUrl = postgresUrl(env, 'DATABASE_DIRECT_URL');
  const isDatabasePooled = oneOf(env, 'GUISE_DATABASE_POOLED', '0', ['0', '1']) === '1';
  if (databaseUrl === null && (isDatabasePooled || databaseDirectUrl !== null)) {
    const given = isDatabasePooled ? 'GUISE_DATABASE_POOLED' : 'DATABASE_DIRECT_URL';
    throw new ConfigError(`DATABASE_URL must be set, because ${given} is`);
  }
  if (isDatabasePooled && databaseDirectUrl === null) {
    throw new ConfigError(
      'DATABASE_DIRECT_URL must be set, because GUISE_DATABASE_POOLED is: ' +
        'notifications and migrations need a connection past the pooler',
    );
  }
  return { databaseUrl, databaseDirectUrl, isDatabasePooled };
}

function postgresUrl(env: NodeJS.ProcessEnv, name: string): string | null {
  const url = env[name];
  if (!url) return null;
  // Not quoted: it holds a password.
  if (!/^postgres(ql)?:\/\//.test(url)) throw new ConfigError(`${name} must be a postgres:// URL`);
  return url;
}

function smtpUrl({ GUISE_SMTP_URL: url }: NodeJS.ProcessEnv): string | null {
  if (!url) return null;
  // Not quoted: it may hold a password.
  if (!URL.canParse(url) || !/^smtps?:\/\//.test(url)) {
    throw new ConfigError('GUISE_SMTP_URL must be an smtp:// or smtps:// URL');
  }
  return url;
}

function price(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  return wholeNumber(env, name, fallback, 0, 1_000_000);
}

function accountLimits(env: NodeJS.ProcessEnv): Record<Plan, AccountLimits> {
  const waiting = limitsByPlan(env, 'GUISE_MAX_WAITING_TASKS');
  const gibibytes = limitsByPlan(env, 'GUISE_MAX_RESULTS_GIB');
  const limits = { ...DEFAULT_ACCOUNT_LIMITS };
  for (const [index, plan] of PLANS.entries()) {
    const keptGibibytes = gibibytes?.[index];
    limits[plan] = {
      ...limits[plan],
      ...(waiting !== null && { waitingTasks: waiting[index]! }),
      ...(keptGibibytes !== undefined && {
        keptOutputBytes: keptGibibytes === null ? null : keptGibibytes * GIBIBYTE,
      }),
    };
  }
  return limits;
}

/**
 * Reads one number a plan, in the order of PLANS; 0 is no limit.
 * @returns null if it is not set.
 */
function limitsByPlan(env: NodeJS.ProcessEnv, name: string): (number | null)[] | null {
  const text = env[name];
  if (!text) return null;
  const numbers = text.split(',').map((each) => (/^\s*\d{1,7}\s*$/.test(each) ? Number(each) : NaN));
  if (numbers.length !== PLANS.length || numbers.some(Number.isNaN)) {
    throw new ConfigError(
      `${name} must be ${PLANS.length} whole numbers, for ${PLANS.join(', ')} (0: no limit), not "${text}"`,
    );
  }
  return numbers.map((each) => (each === 0 ? null : each));
}

function signing(env: NodeJS.ProcessEnv): Config['signing'] {
  const { GUISE_SIGNING_CERTIFICATE: certificate, GUISE_SIGNING_KEY: key } = env;
  if (!certificate && !key) return null;
  if (!certificate)
    throw new ConfigError('GUISE_SIGNING_CERTIFICATE must be set, because GUISE_SIGNING_KEY is');
  if (!key) throw new ConfigError('GUISE_SIGNING_KEY must be set, because GUISE_SIGNING_CERTIFICATE is');
  return { certificatePath: path.resolve(certificate), keyPath: path.resolve(key) };
}

function encryptionKeys(env: NodeJS.ProcessEnv): Pick<Config, 'encryptionKey' | 'previousEncryptionKey'> {
  const [key, previous] = ['GUISE_ENCRYPTION_KEY', 'GUISE_PREVIOUS_ENCRYPTION_KEY'].map((name) => {
    const secret = env[name] || null;
    // Not quoted: it is one.
    if (secret !== null && secret.length < SHORTEST_ENCRYPTION_KEY) {
      throw new ConfigError(`${name} must have ${SHORTEST_ENCRYPTION_KEY} characters or more`);
    }
    return secret;
  }) as [string | null, string | null];
  if (key === null && previous !== null) {
    throw new ConfigError('GUISE_ENCRYPTION_KEY must be set, because GUISE_PREVIOUS_ENCRYPTION_KEY is');
  }
  return { encryptionKey: key, previousEncryptionKey: previous };
}

/**
 * Reads the bucket. A forgotten one must not put media on the disk, nor half a key leave the choice
 * to the machine.
 */
function s3(env: NodeJS.ProcessEnv): S3Config | null {
  const {
    GUISE_S3_BUCKET: bucket,
    GUISE_S3_ACCESS_KEY_ID: accessKeyId,
    GUISE_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env;
  const given = Object.keys(env).find((name) => name.startsWith('GUISE_S3_') && env[name]);
  if (given === undefined) return null;
  if (!bucket) throw new ConfigError(`GUISE_S3_BUCKET must be set, because ${given} is`);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError('GUISE_S3_BUCKET must be the name of a bucket: 3 to 63 of a-z, 0-9, "." and "-"');
  }
  if (!accessKeyId !== !secretAccessKey) {
    throw new ConfigError('GUISE_S3_ACCESS_KEY_ID and GUISE_S3_SECRET_ACCESS_KEY must be set together');
  }
  const region = env.GUISE_S3_REGION || 'us-east-1';
  const endpoint = env.GUISE_S3_ENDPOINT || `https://s3.${region}.amazonaws.com`;
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint)) {
    throw new ConfigError('GUISE_S3_ENDPOINT must be an http or https URL');
  }
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
  return { endpoint: endpoint.replace(/\/+$/, ''), region, bucket, credentials };
}

function wholeNumber(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return value;
}

function oneOf<T extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: T,
  allowed: readonly T[],
): T {
  const text = env[name];
  if (!text) return fallback;
  if (!(allowed as readonly string[]).includes(text)) {
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text}"`);
  }
  return text as T;
}
