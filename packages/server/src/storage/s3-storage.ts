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

/** Longest time that connecting may take. */
const CONNECT_TIMEOUT_MS = 5000;

/** Longest time without data from the store, before its answer and within it. */
const MAX_SILENCE_MS = 30_000;

/**
 * Slowest accepted upload speed. The time limit of an upload is its size divided by this, plus the
 * longest time without data.
 */
const MIN_BYTES_PER_MS = 250;

/** Largest number of keys that S3 deletes in one request. */
const MAX_KEYS_PER_REQUEST = 1000;

/** Time limit of a bulk deletion for each of its keys; OpenStack Swift takes 30 ms. */
const DELETION_TIMEOUT_PER_KEY_MS = 100;

/** Codes with which a busy store refuses some objects of a bulk deletion. */
const BUSY_CODES: ReadonlySet<string> = new Set(['ServiceUnavailable', 'SlowDown']);

/** Largest number of deletions of single objects that run at once. */
const MAX_PARALLEL_DELETIONS = 16;

/**
 * Delays before an upload is repeated. The client library repeats uploads of buffers by itself, but
 * not of streams.
 */
const PUT_RETRY_DELAYS_MS = [200, 1000];

/** The parts of the client library's requests that are used here. */
interface HttpRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Storage in a bucket. Unfinished files are in a scratch folder on this machine. */
export class S3Storage implements Storage {
  readonly scratch: Scratch;
  readonly #sdk: typeof S3;
  readonly #client: S3.S3Client;
  readonly #bucket: string;
  /** false once the store has refused a bulk deletion. */
  #hasBulkDelete = true;

  private constructor(sdk: typeof S3, config: S3Config, scratch: Scratch) {
    const { endpoint, region, bucket, credentials } = config;
    this.#sdk = sdk;
    this.#bucket = bucket;
    this.scratch = scratch;
    this.#client = new sdk.S3Client({
      endpoint,
      region,
      // Every S3 service accepts path-style addresses; addresses with the bucket as host name need
      // setup.
      forcePathStyle: true,
      // Some services do not support the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: MAX_SILENCE_MS,
        throwOnRequestTimeout: true,
        // Each client that reads slowly occupies a connection. Others would wait if the number was
        // limited.
        httpAgent: { maxSockets: Infinity },
        httpsAgent: { maxSockets: Infinity },
      },
      // Everything that the library would log as a warning is also thrown.
      logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
      ...(credentials === null ? {} : { credentials }),
    });
    this.#client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          // S3 requires a checksum for this command.
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
    // The library is loaded here, so that services without a bucket start faster.
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
    // Each machine sweeps its own scratch folder, because the sweeper may run on another machine.
    // Only old files are deleted, because another process on this machine may still use newer ones.
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
      // A task may use its copy for longer than the lifetime of scratch files. The later date
      // protects the copy from the sweeper.
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

  // Nothing limits the duration of a read, because the client may read slowly.
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
      const busy = Errors.filter(({ Code }) => BUSY_CODES.has(Code!));
      const others = Errors.filter(({ Code }) => Code !== 'NoSuchKey' && !BUSY_CODES.has(Code!));
      return [
        ...others.map(({ Key, Code, Message }) => ({ key: Key!, cause: new Error(`${Code}: ${Message}`) })),
        // The SDK sends a request for one object again while the store is busy.
        ...(await this.#deleteEach(busy.map(({ Key }) => Key!))),
      ];
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

  /**
   * Returns bucket and key for a request. Only keys made by `newStorageKey` may reach the store.
   */
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
      // Without the right to list, S3 answers 403 both for a missing and for a forbidden object.
      if (statusOf(error) === 403) throw new Error('the key may not list it', { cause: error });
      throw error;
    }
  }
}

/**
 * Waits for an answer of the store. @throws an error with code `ENOENT`, like a file system, if the
 * object does not exist.
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

/** Returns the HTTP status of the store's answer; undefined if there was no answer. */
function statusOf(error: unknown): number | undefined {
  return (error as Partial<S3.S3ServiceException>).$metadata?.httpStatusCode;
}

/** Returns whether a repeated request would fail in the same way. */
function isRefusal(error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
  const status = statusOf(error);
  return status !== undefined && status < 500 && status !== 429;
}

/** Replaces newer checksums of a request by an MD5 checksum, which every S3 service supports. */
function signWithMd5({ headers, body }: HttpRequest): void {
  for (const name of Object.keys(headers)) {
    if (/^x-amz-(sdk-)?checksum-/i.test(name)) delete headers[name];
  }
  headers['content-md5'] = createHash('md5').update(body).digest('base64');
}

function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || statusOf(error) === 405 || (error as Error).name === 'NotImplemented';
}
