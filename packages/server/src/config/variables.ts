import { MESH_ENGINE, PROVIDERS } from '@guise/contract/engines.ts';
import { VIDEO_HARDWARE } from '@guise/contract/video-hardware.ts';
import path from 'node:path';
import { SIGN_UP_MODES } from '@guise/contract/account/sign-up-mode.ts';
import { LABEL_MODES } from '@guise/contract/work.ts';
import { PLANS } from '@guise/contract/plans.ts';
import { DEFAULT_PRICES } from '@guise/contract/prices.ts';
import { OWN_FOLDER, INSTALLATION } from './installation.ts';
import {
  ANY_TEXT,
  BUCKET_NAME,
  decimal,
  ENGINE,
  ENGINES,
  HTTP_URL,
  ORIGINS,
  LIST,
  limitOfEach,
  longText,
  listOfSome,
  oneOf,
  POSTGRES_URL,
  type Reader,
  RECEIVER_URL,
  SMTP_URL,
  valueOfEngines,
  WEBHOOK_SECRET,
  WHOSE_CONSENT,
  wholeNumber,
} from './readers.ts';

/** Declaration of an environment variable. docs/configuration.md is generated from it. */
export interface Variable {
  /** Heading in docs/configuration.md. Headings appear in the order of their first variables. */
  readonly group: string;
  readonly reads: Reader<unknown>;
  /** Text that is used if the variable is missing or empty; null means no value. */
  readonly default: string | null;
  /** Description of the default, if `default` does not show it. */
  readonly defaultInWords?: string;
  /** Description in one sentence. */
  readonly meaning: string;
}

/** Longest deadline that can be configured. */
export const LONGEST_DEADLINE_SECONDS = 86_400;

/** Reader of a price in credits. */
const PRICE = wholeNumber(0, 1_000_000);

/** What may happen to a task if moderation gives no valid answer in time. */
export const WITHOUT_ANSWER = ['block', 'allow'] as const;

/** Reader of secrets that encrypt keys. 32 characters are 24 random bytes in base64. */
const ENCRYPTION_KEY = longText(32);

/** All environment variables that guise reads, in the order of docs/configuration.md. */
export const VARIABLES = {
  PORT: {
    group: 'Address and data',
    reads: wholeNumber(0, 65_535),
    default: '3000',
    meaning: 'The service listens on this TCP port; with `0` the system chooses a free one.',
  },
  HOST: {
    group: 'Address and data',
    reads: ANY_TEXT,
    default: '127.0.0.1',
    meaning: 'The service listens on this address; `0.0.0.0` opens it to other machines.',
  },
  GUISE_PUBLIC_URL: {
    group: 'Address and data',
    reads: HTTP_URL,
    default: null,
    defaultInWords: '`http://HOST:PORT`',
    meaning:
      'Links in answers and mails start with this address, and the dashboard works only at this address.',
  },
  GUISE_DATA_DIR: {
    group: 'Address and data',
    reads: ANY_TEXT,
    default: INSTALLATION.dataDir,
    defaultInWords: '`.guise` in the folder of guise',
    meaning: 'guise keeps its files in this folder: the database, uploads, results, models and mail.',
  },
  GUISE_DASHBOARD_DIR: {
    group: 'Address and data',
    reads: ANY_TEXT,
    default: path.join(OWN_FOLDER, 'packages/dashboard/dist'),
    meaning: 'The service takes the built dashboard from this folder.',
  },
  DATABASE_URL: {
    group: 'Database',
    reads: POSTGRES_URL,
    default: null,
    defaultInWords: 'a PostgreSQL that guise starts in `GUISE_DATA_DIR`',
    meaning:
      'guise connects to this PostgreSQL, version 15 or newer, such as `postgres://USER:PASSWORD@HOST/NAME`.',
  },
  GUISE_DATABASE_POOLED: {
    group: 'Database',
    reads: oneOf('0', '1'),
    default: '0',
    meaning: '`1` says that `DATABASE_URL` leads to a pooler in transaction mode, such as PgBouncer.',
  },
  DATABASE_DIRECT_URL: {
    group: 'Database',
    reads: POSTGRES_URL,
    default: null,
    defaultInWords: '`DATABASE_URL`',
    meaning:
      'An address of the database that bypasses the pooler. guise uses it for notifications, migrations and commands.',
  },
  GUISE_S3_BUCKET: {
    group: 'Storage (S3)',
    reads: BUCKET_NAME,
    default: null,
    defaultInWords: 'none: files stay in `GUISE_DATA_DIR`',
    meaning: 'guise stores uploads and results in this bucket.',
  },
  GUISE_S3_REGION: {
    group: 'Storage (S3)',
    reads: ANY_TEXT,
    default: 'us-east-1',
    meaning: 'The bucket is in this region.',
  },
  GUISE_S3_ENDPOINT: {
    group: 'Storage (S3)',
    reads: HTTP_URL,
    default: null,
    defaultInWords: '`https://s3.REGION.amazonaws.com`',
    meaning:
      'guise finds the bucket at this address, which may belong to any service with the interface of S3.',
  },
  GUISE_S3_ACCESS_KEY_ID: {
    group: 'Storage (S3)',
    reads: ANY_TEXT,
    default: null,
    defaultInWords: 'what the machine has: `AWS_*`, a profile or a role',
    meaning: 'guise opens the bucket with this key.',
  },
  GUISE_S3_SECRET_ACCESS_KEY: {
    group: 'Storage (S3)',
    reads: ANY_TEXT,
    default: null,
    meaning: 'This secret belongs to `GUISE_S3_ACCESS_KEY_ID`: set both or neither.',
  },
  GUISE_OWNER_EMAIL: {
    group: 'Accounts and sign-up',
    reads: ANY_TEXT,
    default: 'owner@localhost',
    meaning: 'The first `npm start` creates an enterprise account with 1000 credits for this email address.',
  },
  GUISE_SIGN_UP: {
    group: 'Accounts and sign-up',
    reads: oneOf(...SIGN_UP_MODES),
    default: 'invite',
    meaning:
      'This variable decides who may create an account in the dashboard: anybody (`open`), people with an invitation ' +
      '(`invite`) or nobody (`closed`).',
  },
  GUISE_STARTING_PLAN: {
    group: 'Accounts and sign-up',
    reads: oneOf(...PLANS),
    default: 'free',
    meaning: 'A new account gets this plan, unless its invitation names another one.',
  },
  GUISE_STARTING_CREDITS: {
    group: 'Accounts and sign-up',
    reads: wholeNumber(0, 1_000_000_000),
    default: '30',
    meaning: 'A new account gets this many credits when its email address is verified.',
  },
  GUISE_PUBLIC_VERIFY: {
    group: 'Accounts and sign-up',
    reads: oneOf('0', '1'),
    default: '1',
    meaning:
      'Anybody may verify a file at `/verify`, without an account: 4 files a minute and 20 an hour from an address. `0` turns it off.',
  },
  GUISE_SMTP_URL: {
    group: 'Mail',
    reads: SMTP_URL,
    default: null,
    defaultInWords: 'none: guise writes mail to `outbox/` in `GUISE_DATA_DIR`',
    meaning:
      'guise sends mail through this server. If the server needs a login, write `smtps://USER:PASSWORD@HOST:465`.',
  },
  GUISE_MAIL_FROM: {
    group: 'Mail',
    reads: ANY_TEXT,
    default: 'guise@localhost',
    meaning: 'All mail names this sender.',
  },
  GUISE_PRICE_PHOTO: {
    group: 'Prices',
    reads: PRICE,
    default: String(DEFAULT_PRICES.photo),
    meaning: 'A photo task costs this many credits.',
  },
  GUISE_PRICE_BATCH_OUTPUT: {
    group: 'Prices',
    reads: PRICE,
    default: String(DEFAULT_PRICES.batchOutput),
    meaning: 'Each output of a batch costs this many credits.',
  },
  GUISE_PRICE_GROUP_FACE: {
    group: 'Prices',
    reads: PRICE,
    default: String(DEFAULT_PRICES.groupFace),
    meaning: 'Each new face in a group photo costs this many credits.',
  },
  GUISE_PRICE_VIDEO_SECOND: {
    group: 'Prices',
    reads: PRICE,
    default: String(DEFAULT_PRICES.videoSecond),
    meaning: 'Each started second of a video costs this many credits.',
  },
  GUISE_PRICE_VIDEO_MINIMUM: {
    group: 'Prices',
    reads: PRICE,
    default: String(DEFAULT_PRICES.videoMinimum),
    meaning: 'A video costs at least this many credits.',
  },
  GUISE_PRICE_GIF_SECOND: {
    group: 'Prices',
    reads: PRICE,
    default: String(DEFAULT_PRICES.gifSecond),
    meaning: 'Each started second of a GIF costs this many credits.',
  },
  GUISE_PRICE_GIF_MINIMUM: {
    group: 'Prices',
    reads: PRICE,
    default: String(DEFAULT_PRICES.gifMinimum),
    meaning: 'A GIF costs at least this many credits.',
  },
  GUISE_PRICE_4K_FACTOR: {
    group: 'Prices',
    reads: PRICE,
    default: String(DEFAULT_PRICES.factor4k),
    meaning: 'A request to `/v1` with `quality: "4k"` costs this many times the usual price.',
  },
  GUISE_MAX_WAITING_TASKS: {
    group: 'Limits',
    reads: limitOfEach(PLANS),
    default: '1000,5000,50000',
    meaning: 'An account may have at most this many waiting tasks.',
  },
  GUISE_MAX_RESULTS_GIB: {
    group: 'Limits',
    reads: limitOfEach(PLANS),
    default: '20,200,0',
    meaning: 'An account may have at most this many GiB of stored results.',
  },
  GUISE_TASK_DEADLINE_SECONDS: {
    group: 'Limits',
    reads: wholeNumber(1, LONGEST_DEADLINE_SECONDS),
    default: '3600',
    meaning:
      'A task fails if guise works on it for more than this many seconds, or three times as many for a long video.',
  },
  GUISE_INPUT_RETENTION_HOURS: {
    group: 'Limits',
    reads: wholeNumber(0, 8760),
    default: '0',
    meaning:
      'guise keeps uploads this many hours after their task ended, so that the dashboard can run the task again.',
  },
  GUISE_ENGINE_SLOTS: {
    group: 'Workers',
    reads: wholeNumber(2, 256),
    default: null,
    defaultInWords: 'the number of CPU cores, plus one',
    meaning:
      'A worker runs this many engine processes, of about 0.5 GB each, and keeps one for short work. The first starts with the worker, the others when work waits for them, or after 10 seconds.',
  },
  GUISE_WORKER_METRICS_PORT: {
    group: 'Workers',
    reads: wholeNumber(0, 65_535),
    default: '0',
    meaning: 'A worker answers `/livez`, `/readyz` and `/metrics` on this TCP port; with `0` it does not.',
  },
  GUISE_WORKER_METRICS_HOST: {
    group: 'Workers',
    reads: ANY_TEXT,
    default: '127.0.0.1',
    meaning: 'A worker opens `GUISE_WORKER_METRICS_PORT` on this address.',
  },
  GUISE_VIDEO_HARDWARE: {
    group: 'Workers',
    reads: listOfSome(...VIDEO_HARDWARE),
    default: null,
    defaultInWords: 'none',
    meaning:
      'The first of these that works encodes H.264, such as `nvenc,vaapi`; without one, x264 does. guise says which do not work.',
  },
  GUISE_EXECUTION_PROVIDERS: {
    group: 'Networks',
    reads: listOfSome(...PROVIDERS),
    default: 'cpu',
    meaning:
      'Networks that you have added compute on the first of these that works, such as `cuda,cpu`. guise says which do not work.',
  },
  GUISE_SWAPPER: {
    group: 'Networks',
    reads: ENGINE,
    default: MESH_ENGINE.id,
    meaning:
      'This engine draws the faces where a request names none: `mesh`, or a network that you have added. While no worker holds that network, `mesh` draws.',
  },
  GUISE_RESTORER: {
    group: 'Networks',
    reads: ENGINE,
    default: null,
    defaultInWords: 'none',
    meaning:
      'This network, which you have added, makes swapped faces sharper, as strongly as `faceRestoreVisibility` says. While no worker holds it, tasks go without.',
  },
  GUISE_MASKERS: {
    group: 'Networks',
    reads: ENGINES,
    default: null,
    defaultInWords: 'none',
    meaning:
      "These networks, which you have added, say what hides a face, beside guise's own. Tasks go without those that no worker holds.",
  },
  GUISE_ENGINE_PRICES: {
    group: 'Networks',
    reads: valueOfEngines(wholeNumber(1, 1000)),
    default: null,
    defaultInWords: '1 for each',
    meaning: 'A task that these networks draw costs this many times the usual price, such as `inswapper=3`.',
  },
  GUISE_ENGINE_PLANS: {
    group: 'Networks',
    reads: valueOfEngines(oneOf(...PLANS)),
    default: null,
    defaultInWords: 'free for each',
    meaning: 'Accounts of this plan and of higher ones may choose these networks, such as `inswapper=pro`.',
  },
  GUISE_LABEL: {
    group: 'Marks',
    reads: oneOf(...LABEL_MODES),
    default: 'on-request',
    meaning:
      'guise puts a visible label, "AI face swapped", on results of requests with `label` (`on-request`), or on all results (`always`). Set it for `guise` commands, too.',
  },
  GUISE_WATERMARK: {
    group: 'Marks',
    reads: oneOf('on', 'off'),
    default: 'on',
    meaning:
      'guise puts an invisible watermark into results, by which anybody finds that guise made them. Set it for `guise` commands, too.',
  },
  GUISE_CONSENT: {
    group: 'Consent',
    reads: WHOSE_CONSENT,
    default: 'optional',
    meaning:
      'guise refuses tasks that do not say in `consent` who agreed to the use of the face: of nobody (`optional`), of everybody (`required`), or of accounts with these plans, such as `free,pro`.',
  },
  GUISE_BLOCKLIST_DISTANCE: {
    group: 'Consent',
    reads: decimal(0.1, 0.8),
    default: '0.35',
    meaning:
      'A face is taken for one of the blocklist up to this distance of their embeddings. A larger value finds more photos of the same people, and refuses more photos of others.',
  },
  GUISE_MODERATION_URL: {
    group: 'Moderation',
    reads: RECEIVER_URL,
    default: null,
    defaultInWords: 'none: nobody is asked',
    meaning:
      'guise asks this address before each swap, by a signed POST with links to the uploads, whether it may begin.',
  },
  GUISE_MODERATION_SECRET: {
    group: 'Moderation',
    reads: WEBHOOK_SECRET,
    default: null,
    meaning: 'guise signs these requests with this secret. Set it together with `GUISE_MODERATION_URL`.',
  },
  GUISE_MODERATION_TIMEOUT_SECONDS: {
    group: 'Moderation',
    reads: wholeNumber(1, 60),
    default: '10',
    meaning: 'guise waits this many seconds for an answer.',
  },
  GUISE_MODERATION_ON_TIMEOUT: {
    group: 'Moderation',
    reads: oneOf(...WITHOUT_ANSWER),
    default: 'block',
    meaning:
      'Without a valid answer in time, a task fails (`block`) or is done (`allow`). This includes errors and unreachable servers.',
  },
  GUISE_SIGNING_CERTIFICATE: {
    group: 'Signing and encryption',
    reads: ANY_TEXT,
    default: null,
    defaultInWords: 'guise makes a certificate at its first start',
    meaning:
      'guise signs results with the certificate chain in this PEM file: first the certificate of the signer, then the intermediate certificates, then the root certificate. Set it for `guise` commands, too.',
  },
  GUISE_SIGNING_KEY: {
    group: 'Signing and encryption',
    reads: ANY_TEXT,
    default: null,
    defaultInWords: 'guise makes a key at its first start',
    meaning: 'This PEM file holds the key of `GUISE_SIGNING_CERTIFICATE`: set both or neither.',
  },
  GUISE_TIMESTAMP_URL: {
    group: 'Signing and encryption',
    reads: HTTP_URL,
    default: null,
    defaultInWords: 'none: signatures have no time stamp',
    meaning:
      'guise asks this service (RFC 3161) for a time stamp of each signature. It sends the hash of the signature, and nothing else. Set it for `guise` commands, too.',
  },
  GUISE_ENCRYPTION_KEY: {
    group: 'Signing and encryption',
    reads: ENCRYPTION_KEY,
    default: null,
    defaultInWords: 'none: the key is stored in plain text',
    meaning:
      'guise encrypts the signing key in the database with this secret: set the same one on every machine.',
  },
  GUISE_PREVIOUS_ENCRYPTION_KEY: {
    group: 'Signing and encryption',
    reads: ENCRYPTION_KEY,
    default: null,
    meaning:
      'guise also accepts this older secret while you change `GUISE_ENCRYPTION_KEY` machine by machine.',
  },
  GUISE_TRUSTED_PROXIES: {
    group: 'Network',
    reads: LIST,
    default: null,
    meaning:
      'guise believes `X-Forwarded-For` of proxies at these addresses (CIDR, with commas between them).',
  },
  GUISE_ALLOWED_ORIGINS: {
    group: 'Network',
    reads: ORIGINS,
    default: null,
    defaultInWords: 'none',
    meaning:
      'Pages of these origins (such as `https://shop.example`, with commas between them) may call the interfaces and load results (CORS). They need no entry if they call a backend of yours.',
  },
  GUISE_ALLOW_PRIVATE_URLS: {
    group: 'Network',
    reads: oneOf('0', '1'),
    default: '0',
    meaning:
      '`1` lets media and webhook URLs lead to loopback and private addresses; link-local and metadata ' +
      'addresses stay forbidden.',
  },
  GUISE_LOG_LEVEL: {
    group: 'Logs and metrics',
    reads: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
    default: 'info',
    meaning: 'guise logs messages of this level and of more serious ones; `silent` logs nothing.',
  },
  GUISE_OPERATOR_TOKEN: {
    group: 'Logs and metrics',
    reads: ANY_TEXT,
    default: null,
    defaultInWords: 'none: only programs on the same machine may read `/metrics`',
    meaning: 'Programs on other machines may read `/metrics` with this Bearer token.',
  },
  GUISE_PREVIOUS_OPERATOR_TOKEN: {
    group: 'Logs and metrics',
    reads: ANY_TEXT,
    default: null,
    meaning: 'guise also accepts this older token while you change `GUISE_OPERATOR_TOKEN`.',
  },
} satisfies Record<string, Variable>;
