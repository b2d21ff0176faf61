import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type * as S3 from '@aws-sdk/client-s3';
import { ConfigError, type S3Config } from '../config/config.ts';
import { LONGEST_DEADLINE_SECONDS } from '../config/variables.ts';
import { isMissing } from './local-storage.ts';
import { inParallel } from './in-parallel.ts';
import { type Scratch, SCRATCH_LIFETIME_MS } from './scratch.ts';
import { type ByteRange, isStorageKey, type Storage, type Undeleted } from './storage.ts';

/** Key that is written and deleted at every start, so that missing rights are noticed at once. */
const PROBE_KEY = `in/00/${'0'.repeat(46)}.probe`;

/** Longest wait for a connection. */
const CONNECT_TIMEOUT_MS = 5000;

/** Longest silence of the store, before its answer and between two pieces of it. */
const MAX_SILENCE_MS = 30_000;

/** Slowest speed of an upload that is waited for, in addition to the longest silence. */
const MIN_BYTES_PER_MS = 250;

/** Most keys that S3 deletes in one request. */
const MAX_KEYS_PER_REQUEST = 1000;

/** Time that a deletion gets for each key of its request; OpenStack Swift takes 30 ms. */
const DELETION_TIMEOUT_PER_KEY_MS = 100;

/** Deletions that run at once on a store that takes one key a request. */
const MAX_PARALLEL_DELETIONS = 16;

/**
 * Delays before an upload is repeated: the client library repeats buffers by itself, but no
 * streams.
 */
const PUT_RETRY_DELAYS_MS = [200, 1000];

/** Request of the client library, as far as it is used here. */
interface HttpRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Storage in a bucket; unfinished files are in a scratch folder of this machine. */
export class S3Storage implements Storage {
  readonly scratch: Scratch;
  readonly #sdk: typeof S3;
  readonly #client: S3.S3Client;
  readonly #bucket: string;
  /** Whether the store may know bulk deletion; false once it refused it. */
  #hasBulkDelete = true;

  private constructor(sdk: typeof S3, config: S3Config, scratch: Scratch) {
    const { endpoint, region, bucket, credentials } = config;
    this.#sdk = sdk;
    this.#bucket = bucket;
    this.scratch = scratch;
    this.#client = new sdk.S3Client({
      endpoint,
      region,
      // Every service that speaks S3 understands it; a bucket's own host name has to be set up.
      forcePathStyle: true,
      // Not every one knows the checksums that are newer than the interface.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: MAX_SILENCE_MS,
        throwOnRequestTimeout: true,
        // A client that reads its file slowly holds a connection, and nobody else up.
        httpAgent: { maxSockets: Infinity },
        httpsAgent: { maxSockets: Infinity },
      },
      // What it warns of is thrown as well.
      logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
      ...(credentials === null ? {} : { credentials }),
    });
    this.#client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          // S3 requires a checksum of this one.
          if (commandName === 'DeleteObjectsCommand') signWithMd5(args.request as HttpRequest);
          return next(args);
        },
      { step: 'build', name: 'signWithMd5' },
    );
  }

  /**
   * Opens the bucket.
   * @throws ConfigError if the bucket cannot be written, read or deleted from.
   */
  static async open(config: S3Config, scratch: Scratch): Promise<S3Storage> {
    // Nobody without a bucket waits for it.
    const storage = new S3Storage(await import('@aws-sdk/client-s3'), config, scratch);
    try {
      await storage.#probe();
    } catch (error) {
      const { name, message } = error as Error;
      throw new ConfigError(
        `The bucket ${config.bucket} at ${config.endpoint} cannot be used: ${name === 'Error' ? '' : `${name}: `}${message}`,
        { cause: error },
      );
    }
    // The sweeper may be a process on another machine; another process of this one may be at work.
    await scratch.sweep(new Date(Date.now() - SCRATCH_LIFETIME_MS));
    return storage;
  }

  async put(key: string, filePath: string): Promise<void> {
    const place = this.#placeOf(key);
    const { size } = await stat(filePath);
    const requestTimeout = MAX_SILENCE_MS + size / MIN_BYTES_PER_MS;
    for (let attempt = 0; ; attempt += 1) {
      const wait = PUT_RETRY_DELAYS_MS[attempt];
      const Body = createReadStream(filePath);
      const command = new this.#sdk.PutObjectCommand({ ...place, Body, ContentLength: size });
      try {
        await this.#client.send(command, { requestTimeout });
        break;
      } catch (error) {
        Body.destroy();
        if (wait === undefined || isRefusal(error)) throw error;
      }
      await delay(wait);
    }
    await rm(filePath);
  }

  async withLocalFile<T>(key: string, use: (filePath: string) => Promise<T>): Promise<T> {
    const copy = this.scratch.newPath(key.slice(key.lastIndexOf('.') + 1));
    try {
      const body = await this.#get(key);
      body.setTimeout(MAX_SILENCE_MS, () => body.destroy(new Error('the object store fell silent')));
      await pipeline(body, createWriteStream(copy));
      // It would be swept; a task may work with its copy for longer than that.
      const now = Date.now();
      await utimes(copy, now / 1000, now / 1000 + LONGEST_DEADLINE_SECONDS);
      return await use(copy);
    } finally {
      await rm(copy, { force: true });
    }
  }

  async sizeBytes(key: string): Promise<number | null> {
    if (!isStorageKey(key)) return null;
    const command = new this.#sdk.HeadObjectCommand(this.#placeOf(key));
    try {
      return (await missingAsNotFound(this.#client.send(command))).ContentLength!;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  // As slowly as somebody's client reads: nothing limits how long the answer takes.
  async openRead(key: string, range?: ByteRange): Promise<Readable> {
    return await this.#get(key, range);
  }

  async delete(key: string): Promise<void> {
    const command = new this.#sdk.DeleteObjectCommand(this.#placeOf(key));
    try {
      await missingAsNotFound(this.#client.send(command));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async deleteAll(keys: readonly string[]): Promise<readonly Undeleted[]> {
    const undeleted: Undeleted[] = [];
    for (let at = 0; at < keys.length; at += MAX_KEYS_PER_REQUEST) {
      undeleted.push(...(await this.#deleteSome(keys.slice(at, at + MAX_KEYS_PER_REQUEST))));
    }
    return undeleted;
  }

  async #deleteSome(keys: readonly string[]): Promise<readonly Undeleted[]> {
    const Objects = keys.map((key) => ({ Key: this.#placeOf(key).Key }));
    if (!this.#hasBulkDelete) return this.#deleteEach(keys);
    const command = new this.#sdk.DeleteObjectsCommand({
      Bucket: this.#bucket,
      Delete: { Objects, Quiet: true },
    });
    try {
      const requestTimeout = MAX_SILENCE_MS + keys.length * DELETION_TIMEOUT_PER_KEY_MS;
      const { Errors = [] } = await this.#client.send(command, { requestTimeout });
      return Errors.filter(({ Code }) => Code !== 'NoSuchKey').map(({ Key, Code, Message }) => ({
        key: Key!,
        cause: new Error(`${Code}: ${Message}`),
      }));
    } catch (error) {
      if (!isNotImplemented(error)) return keys.map((key) => ({ key, cause: error }));
      this.#hasBulkDelete = false;
      return this.#deleteEach(keys);
    }
  }

  #deleteEach(keys: readonly string[]): Promise<readonly Undeleted[]> {
    return inParallel(keys, MAX_PARALLEL_DELETIONS, (key) => this.delete(key));
  }

  async #get(key: string, range?: ByteRange): Promise<IncomingMessage> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new this.#sdk.GetObjectCommand({ ...this.#placeOf(key), Range });
    const { Body } = await missingAsNotFound(this.#client.send(command));
    return Body as IncomingMessage;
  }

  /** Keys reach the store, so nothing but the shape of `newStorageKey` does. */
  #placeOf(key: string): { Bucket: string; Key: string } {
    if (!isStorageKey(key)) throw new TypeError('not a storage key');
    return { Bucket: this.#bucket, Key: key };
  }

  async #probe(): Promise<void> {
    const file = this.scratch.newPath('probe');
    await writeFile(file, 'guise');
    try {
      await this.put(PROBE_KEY, file);
    } finally {
      await rm(file, { force: true });
    }
    await this.delete(PROBE_KEY);
    try {
      await this.sizeBytes(PROBE_KEY);
    } catch (error) {
      // Without that right S3 answers the same for a missing and a forbidden object.
      if (statusOf(error) === 403) throw new Error('the key may not list it', { cause: error });
      throw error;
    }
  }
}

/**
 * Passes an answer on. @throws an error with the `ENOENT` of a file system if the store has no such
 * object.
 */
async function missingAsNotFound<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const { name } = error as Error;
    if (name !== 'NoSuchKey' && name !== 'NotFound') throw error;
    throw Object.assign(new Error('no such object', { cause: error }), { code: 'ENOENT' });
  }
}

/** Returns the status of the store's answer; undefined if there was none. */
function statusOf(error: unknown): number | undefined {
  return (error as Partial<S3.S3ServiceException>).$metadata?.httpStatusCode;
}

/** Returns whether asking again would change nothing. */
function isRefusal(error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
  const status = statusOf(error);
  return status !== undefined && status < 500 && status !== 429;
}

/**
 * Gives a request an MD5 in place of newer checksums: every service that speaks S3 understands it.
 */
function signWithMd5({ headers, body }: HttpRequest): void {
  for (const name of Object.keys(headers)) {
    if (/^x-amz-(sdk-)?checksum-/i.test(name)) delete headers[name];
  }
  headers['content-md5'] = createHash('md5').update(body).digest('base64');
}

function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || statusOf(error) === 405 || (error as Error).name === 'NotImplemented';
}
