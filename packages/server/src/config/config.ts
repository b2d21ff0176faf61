import { type EngineRules, MESH_ENGINE, type Provider } from '@guise/contract/engines.ts';
import type { LabelMode } from '@guise/contract/work.ts';
import type { VideoHardware } from '@guise/contract/video-hardware.ts';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { SignUpMode } from '@guise/contract/account/sign-up-mode.ts';
import { AI_TASKS_LIMITS, OUTPUT_LIFETIME_MS } from '@guise/contract/limits.ts';
import { type AccountLimits, GIBIBYTE, PLANS, type Plan } from '@guise/contract/plans.ts';
import type { Prices } from '@guise/contract/prices.ts';
import { type Variable, VARIABLES, type WITHOUT_ANSWER } from './variables.ts';

/** Settings of the operator, read once at the start from the environment (`VARIABLES`). */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Folder of all data of this installation: database, media, models. */
  readonly dataDir: string;
  /** Beginning of links in answers, without a trailing slash. */
  readonly publicUrl: string;
  /** Connection string of the database; null means the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /**
   * Connection string that bypasses a pooler; null means that `databaseUrl` is used for everything.
   */
  readonly databaseDirectUrl: string | null;
  /** Whether `databaseUrl` leads to a pooler in transaction mode. */
  readonly isDatabasePooled: boolean;
  readonly logLevel: string;
  /**
   * Bearer token for `/metrics` from other machines; null means that only this machine may read
   * them.
   */
  readonly operatorToken: string | null;
  /** Previous token, which is also accepted until everybody uses the new one. */
  readonly previousOperatorToken: string | null;
  /** Addresses (CIDR) of proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins of pages that may call the interfaces. */
  readonly allowedOrigins: readonly string[];
  /**
   * Whether media and webhook URLs may lead to loopback and private addresses. Link-local and
   * metadata addresses are never allowed.
   */
  readonly allowPrivateUrls: boolean;
  /**
   * Number of engine processes of a worker, at least 2, because one is reserved for short work.
   * Default: one for each core, plus one.
   */
  readonly engineSlots: number;
  /** Hardware that may encode videos, in the order of trial. */
  readonly videoHardware: readonly VideoHardware[];
  /** When results get the visible label. */
  readonly label: LabelMode;
  /** Whether results get the invisible watermark. */
  readonly watermark: boolean;
  /** Plans whose accounts must say who agreed to the use of a face. */
  readonly consentPlans: readonly Plan[];
  /** Largest distance of two embeddings at which a face counts as one of the blocklist. */
  readonly blocklistDistance: number;
  /** What networks of the operator may compute on, in the order of trial. */
  readonly executionProviders: readonly Provider[];
  /** Engine that draws faces where a request names none. */
  readonly defaultEngine: string;
  /** Network that improves swapped faces; null for none. */
  readonly restorer: string | null;
  /** Networks that say what hides a face, beside guise's own. */
  readonly maskers: readonly string[];
  /** Returns the operator's rules for a network. */
  readonly rulesOf: (engine: string) => EngineRules;
  /** Address at which a worker reports its health and metrics; null means nowhere. */
  readonly workerStatus: { readonly host: string; readonly port: number } | null;
  readonly taskDeadlineMs: number;
  /** Time for which inputs are kept after their task has ended. */
  readonly inputRetentionMs: number;
  readonly outputLifetimeMs: number;
  readonly prices: Prices;
  /** Limits of each account, by plan. */
  readonly accountLimits: Record<Plan, AccountLimits>;
  /** Email address of the account that the first start creates. */
  readonly ownerEmail: string;
  readonly startingCredits: number;
  readonly startingPlan: Plan;
  /** Who may create an account in the dashboard: anybody, people with an invitation, or nobody. */
  readonly signUp: SignUpMode;
  /** Whether `/verify` exists, where anybody may verify a file without an account. */
  readonly publicVerify: boolean;
  /**
   * Mail server, `smtp://` or `smtps://`, with user and password if needed; null means that mails
   * are written to `outbox/`.
   */
  readonly smtpUrl: string | null;
  /** Sender of all mail. */
  readonly mailFrom: string;
  /** Folder of the built dashboard. */
  readonly dashboardDir: string;
  readonly maxImagePixels: number;
  /**
   * PEM files of the operator's own certificate chain and key; null means that the installation
   * makes its own.
   */
  readonly signing: { readonly certificatePath: string; readonly keyPath: string } | null;
  /** Service that stamps signatures with the time (RFC 3161); null means none. */
  readonly timeStampUrl: string | null;
  /**
   * Secret that encrypts private keys in the database; null means that keys are stored in plain
   * text.
   */
  readonly encryptionKey: string | null;
  /** Previous secret, which may still encrypt keys during a rotation. */
  readonly previousEncryptionKey: string | null;
  /** Service of the operator that decides whether a task may be done; null for none. */
  readonly moderation: ModerationConfig | null;
  /** Bucket of the media; null means that they are stored in `dataDir`. */
  readonly s3: S3Config | null;
}

/** How the operator's moderation is asked. */
export interface ModerationConfig {
  readonly url: string;
  /** `whsec_...` */
  readonly secret: string;
  readonly timeoutMs: number;
  /** What happens to a task without a valid answer in time. */
  readonly onTimeout: (typeof WITHOUT_ANSWER)[number];
}

/** A bucket of a service with S3's interface. */
export interface S3Config {
  /** URL without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /**
   * Credentials; null means those of the machine, such as a role (`AWS_*`, a profile, the cloud's
   * metadata service).
   */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** Error for an invalid variable. The message contains its name and valid values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the configuration. @throws ConfigError naming the variable and its valid values. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const host = read(env, 'HOST');
  const port = read(env, 'PORT');
  return Object.freeze({
    host,
    port,
    dataDir: path.resolve(read(env, 'GUISE_DATA_DIR')),
    publicUrl: read(env, 'GUISE_PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...database(env),
    logLevel: read(env, 'GUISE_LOG_LEVEL'),
    operatorToken: read(env, 'GUISE_OPERATOR_TOKEN'),
    previousOperatorToken: read(env, 'GUISE_PREVIOUS_OPERATOR_TOKEN'),
    trustedProxies: read(env, 'GUISE_TRUSTED_PROXIES') ?? [],
    allowedOrigins: read(env, 'GUISE_ALLOWED_ORIGINS') ?? [],
    allowPrivateUrls: read(env, 'GUISE_ALLOW_PRIVATE_URLS') === '1',
    engineSlots: read(env, 'GUISE_ENGINE_SLOTS') ?? availableParallelism() + 1,
    videoHardware: read(env, 'GUISE_VIDEO_HARDWARE') ?? [],
    label: read(env, 'GUISE_LABEL'),
    watermark: read(env, 'GUISE_WATERMARK') === 'on',
    consentPlans: read(env, 'GUISE_CONSENT'),
    blocklistDistance: read(env, 'GUISE_BLOCKLIST_DISTANCE'),
    executionProviders: read(env, 'GUISE_EXECUTION_PROVIDERS'),
    ...engines(env),
    workerStatus: workerStatus(env),
    taskDeadlineMs: read(env, 'GUISE_TASK_DEADLINE_SECONDS') * 1000,
    inputRetentionMs: read(env, 'GUISE_INPUT_RETENTION_HOURS') * 3_600_000,
    outputLifetimeMs: OUTPUT_LIFETIME_MS,
    prices: {
      photo: read(env, 'GUISE_PRICE_PHOTO'),
      batchOutput: read(env, 'GUISE_PRICE_BATCH_OUTPUT'),
      groupFace: read(env, 'GUISE_PRICE_GROUP_FACE'),
      videoSecond: read(env, 'GUISE_PRICE_VIDEO_SECOND'),
      videoMinimum: read(env, 'GUISE_PRICE_VIDEO_MINIMUM'),
      gifSecond: read(env, 'GUISE_PRICE_GIF_SECOND'),
      gifMinimum: read(env, 'GUISE_PRICE_GIF_MINIMUM'),
      factor4k: read(env, 'GUISE_PRICE_4K_FACTOR'),
    },
    accountLimits: accountLimits(env),
    ownerEmail: read(env, 'GUISE_OWNER_EMAIL'),
    startingCredits: read(env, 'GUISE_STARTING_CREDITS'),
    startingPlan: read(env, 'GUISE_STARTING_PLAN'),
    signUp: read(env, 'GUISE_SIGN_UP'),
    publicVerify: read(env, 'GUISE_PUBLIC_VERIFY') === '1',
    smtpUrl: read(env, 'GUISE_SMTP_URL'),
    mailFrom: read(env, 'GUISE_MAIL_FROM'),
    dashboardDir: path.resolve(read(env, 'GUISE_DASHBOARD_DIR')),
    maxImagePixels: AI_TASKS_LIMITS.imagePixels,
    signing: signing(env),
    timeStampUrl: read(env, 'GUISE_TIMESTAMP_URL'),
    ...encryptionKeys(env),
    moderation: moderation(env),
    s3: s3(env),
  });
}

type Variables = typeof VARIABLES;

/** Type of a variable's value. It can be null only if the declaration has no default. */
type Value<Name extends keyof Variables> =
  | Exclude<ReturnType<Variables[Name]['reads']['parse']>, undefined>
  | Extract<Variables[Name]['default'], null>;

function read<Name extends keyof Variables>(env: NodeJS.ProcessEnv, name: Name): Value<Name> {
  const { reads, default: fallback }: Variable = VARIABLES[name];
  const text = env[name] || fallback;
  if (text === null) return null as Value<Name>;
  const value = reads.parse(text);
  if (value === undefined) {
    throw new ConfigError(`${name} ${reads.rule}${reads.isQuoted ? `, not "${text}"` : ''}`);
  }
  return value as Value<Name>;
}

function workerStatus(env: NodeJS.ProcessEnv): Config['workerStatus'] {
  const port = read(env, 'GUISE_WORKER_METRICS_PORT');
  return port === 0 ? null : { host: read(env, 'GUISE_WORKER_METRICS_HOST'), port };
}

/**
 * Reads how to reach PostgreSQL. Notifications do not work through a pooler, so a direct URL is
 * required with it.
 */
function database(
  env: NodeJS.ProcessEnv,
): Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'isDatabasePooled'> {
  const databaseUrl = read(env, 'DATABASE_URL');
  const databaseDirectUrl = read(env, 'DATABASE_DIRECT_URL');
  const isDatabasePooled = read(env, 'GUISE_DATABASE_POOLED') === '1';
  if (databaseUrl === null && (isDatabasePooled || databaseDirectUrl !== null)) {
    const given = isDatabasePooled ? 'GUISE_DATABASE_POOLED' : 'DATABASE_DIRECT_URL';
    throw new ConfigError(`DATABASE_URL must be set, because ${given} is set`);
  }
  if (isDatabasePooled && databaseDirectUrl === null) {
    throw new ConfigError(
      'DATABASE_DIRECT_URL must be set, because GUISE_DATABASE_POOLED is set: ' +
        'notifications and migrations need a connection that does not go through the pooler',
    );
  }
  return { databaseUrl, databaseDirectUrl, isDatabasePooled };
}

function engines(env: NodeJS.ProcessEnv): Pick<Config, 'defaultEngine' | 'restorer' | 'maskers' | 'rulesOf'> {
  const prices = read(env, 'GUISE_ENGINE_PRICES');
  const lowestPlans = read(env, 'GUISE_ENGINE_PLANS');
  return {
    defaultEngine: read(env, 'GUISE_SWAPPER'),
    restorer: read(env, 'GUISE_RESTORER'),
    maskers: read(env, 'GUISE_MASKERS') ?? [],
    rulesOf: (engine) => ({
      priceFactor: prices?.get(engine) ?? MESH_ENGINE.priceFactor,
      plans: PLANS.slice(PLANS.indexOf(lowestPlans?.get(engine) ?? PLANS[0])),
    }),
  };
}

function accountLimits(env: NodeJS.ProcessEnv): Record<Plan, AccountLimits> {
  const waiting = read(env, 'GUISE_MAX_WAITING_TASKS');
  const gibibytes = read(env, 'GUISE_MAX_RESULTS_GIB');
  const limitsOf = (plan: Plan): AccountLimits => {
    const kept = gibibytes[plan];
    return { waitingTasks: waiting[plan], keptOutputBytes: kept === null ? null : kept * GIBIBYTE };
  };
  return { free: limitsOf('free'), pro: limitsOf('pro'), enterprise: limitsOf('enterprise') };
}

function signing(env: NodeJS.ProcessEnv): Config['signing'] {
  const certificate = read(env, 'GUISE_SIGNING_CERTIFICATE');
  const key = read(env, 'GUISE_SIGNING_KEY');
  if (certificate === null && key === null) return null;
  if (certificate === null)
    throw new ConfigError('GUISE_SIGNING_CERTIFICATE must be set, because GUISE_SIGNING_KEY is set');
  if (key === null)
    throw new ConfigError('GUISE_SIGNING_KEY must be set, because GUISE_SIGNING_CERTIFICATE is set');
  return { certificatePath: path.resolve(certificate), keyPath: path.resolve(key) };
}

function moderation(env: NodeJS.ProcessEnv): ModerationConfig | null {
  const url = read(env, 'GUISE_MODERATION_URL');
  const secret = read(env, 'GUISE_MODERATION_SECRET');
  const timeoutMs = read(env, 'GUISE_MODERATION_TIMEOUT_SECONDS') * 1000;
  const onTimeout = read(env, 'GUISE_MODERATION_ON_TIMEOUT');
  if (url === null && secret === null) return null;
  if (url === null)
    throw new ConfigError('GUISE_MODERATION_URL must be set, because GUISE_MODERATION_SECRET is set');
  if (secret === null)
    throw new ConfigError('GUISE_MODERATION_SECRET must be set, because GUISE_MODERATION_URL is set');
  return { url, secret, timeoutMs, onTimeout };
}

function encryptionKeys(env: NodeJS.ProcessEnv): Pick<Config, 'encryptionKey' | 'previousEncryptionKey'> {
  const encryptionKey = read(env, 'GUISE_ENCRYPTION_KEY');
  const previousEncryptionKey = read(env, 'GUISE_PREVIOUS_ENCRYPTION_KEY');
  if (encryptionKey === null && previousEncryptionKey !== null) {
    throw new ConfigError('GUISE_ENCRYPTION_KEY must be set, because GUISE_PREVIOUS_ENCRYPTION_KEY is set');
  }
  return { encryptionKey, previousEncryptionKey };
}

/**
 * Reads the bucket. Refuses a configuration without a bucket name, which would store media on the
 * disk, and with only half of a key, which would use the machine's credentials.
 */
function s3(env: NodeJS.ProcessEnv): S3Config | null {
  const given = Object.keys(env).find((name) => name.startsWith('GUISE_S3_') && env[name]);
  if (given === undefined) return null;
  const bucket = read(env, 'GUISE_S3_BUCKET');
  if (bucket === null) throw new ConfigError(`GUISE_S3_BUCKET must be set, because ${given} is set`);
  const accessKeyId = read(env, 'GUISE_S3_ACCESS_KEY_ID');
  const secretAccessKey = read(env, 'GUISE_S3_SECRET_ACCESS_KEY');
  if (!accessKeyId !== !secretAccessKey) {
    throw new ConfigError('GUISE_S3_ACCESS_KEY_ID and GUISE_S3_SECRET_ACCESS_KEY must be set together');
  }
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
  const region = read(env, 'GUISE_S3_REGION');
  const endpoint = read(env, 'GUISE_S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`;
  // A region with a space makes an invalid URL.
  if (!URL.canParse(endpoint)) throw new ConfigError('GUISE_S3_ENDPOINT must be an http or https URL');
  return { endpoint, region, bucket, credentials };
}
