import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type AppError, fieldError, invalidField } from '@guise/contract/errors.ts';
import { V1_LIMITS } from '@guise/contract/limits.ts';
import { Base64Decoder, Base64Error } from './base64-decoder.ts';
import { decodeJsonEscape, decodeJsonString } from './json-string.ts';

/** A medium in a JSON body: inline data or a URL. */
export type GivenMedia =
  | {
      readonly kind: 'inline';
      /** Name of the medium in messages, such as `target_images[2]`. */
      readonly name: string;
      /** Path of the decoded file, in a scratch folder. */
      readonly path: string;
      readonly sizeBytes: number;
      /** SHA-256 of the decoded file, in lower-case hex. */
      readonly sha256: string;
    }
  | { readonly kind: 'url'; readonly name: string; readonly url: string };

export interface MediaRules {
  readonly name: string;
  readonly maxBytes: number;
  readonly tooLarge: 'IMAGE_TOO_LARGE' | 'VIDEO_TOO_LARGE';
  /**
   * Makes the path of the file for inline data. Called once the string is known to be inline data.
   */
  readonly newPath: () => string;
}

/**
 * Largest number of bytes of the string that are kept until it is known whether the string is a
 * URL. This is enough for the longest URL with every character escaped, and for every media type.
 */
const HEAD_BYTES = 6 * V1_LIMITS.urlLength + 64;
/**
 * Bytes of base64 that are decoded and written at once. Some clients escape every slash, and each
 * short text between two escapes must not cost a separate write.
 */
const TEXT_BYTES = 64 * 1024;

/**
 * Byte that never occurs in base64. It replaces every non-ASCII character, none of which occurs in
 * base64 either.
 */
const NO_BASE64 = 0x80;

/**
 * Reader of a JSON string that holds a medium. It writes inline data to a file while it reads, so
 * that the data is never in memory as a whole.
 */
export class MediaString {
  readonly #rules: MediaRules;
  /**
   * Raw beginning of the string, with its escapes; null once the string is known to be inline data.
   */
  #head: Buffer[] | null = [];
  #headBytes = 0;
  /** Base64 that is not decoded yet. */
  readonly #text = Buffer.allocUnsafe(TEXT_BYTES);
  #textBytes = 0;
  readonly #decoder = new Base64Decoder();
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;
  #path = '';
  #file: FileHandle | null = null;

  constructor(rules: MediaRules) {
    this.#rules = rules;
  }

  /**
   * Takes the bytes of `raw` from `start` to `end`. They must be inside the string's quotes and
   * must not split an escape.
   * @returns undefined, or a promise to await before the next call. @throws AppError, also by
   * rejecting
   */
  write(raw: Buffer, start: number, end: number): Promise<void> | undefined {
    if (this.#head === null) return this.#add(raw, start, end);
    // A copy, because the reader may use its chunk again.
    this.#head.push(Buffer.from(raw.subarray(start, end)));
    this.#headBytes += end - start;
    if (this.#headBytes <= HEAD_BYTES) return undefined;
    const head = Buffer.concat(this.#head);
    // The text may end between the two halves of a surrogate pair. This is harmless, because
    // neither half is base64.
    const text = decodeJsonString(head);
    if (isUrl(text)) throw urlTooLong(this.#rules.name);
    return this.#beginInline(text);
  }

  /** Takes a single escape, the first `length` bytes of `raw`. */
  writeEscape(raw: Buffer, length: number): Promise<void> | undefined {
    if (this.#head !== null) return this.write(raw, 0, length);
    const unit = decodeJsonEscape(raw, length);
    this.#text[this.#textBytes] = unit < NO_BASE64 ? unit : NO_BASE64;
    this.#textBytes += 1;
    return this.#textBytes === TEXT_BYTES ? this.#flush() : undefined;
  }

  /** Ends the string and returns its medium. @throws AppError */
  async end(): Promise<GivenMedia> {
    const { name } = this.#rules;
    if (this.#head !== null) {
      const text = decodeJsonString(Buffer.concat(this.#head));
      if (isUrl(text)) return { kind: 'url', name, url: checkedUrl(name, text.trim()) };
      await this.#beginInline(text);
    }
    await this.#flush();
    await this.#store(this.#worded(() => this.#decoder.end()));
    if (this.#sizeBytes === 0) throw invalidField(name, 'is empty.');
    await this.close();
    return {
      kind: 'inline',
      name,
      path: this.#path,
      sizeBytes: this.#sizeBytes,
      sha256: this.#hash.digest('hex'),
    };
  }

  /** Closes the file, so that deleting it frees its space. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async #beginInline(text: string): Promise<void> {
    const { name } = this.#rules;
    this.#head = null;
    this.#path = this.#rules.newPath();
    this.#file = await open(this.#path, 'wx', 0o600);
    const base64 = Buffer.from(base64Of(name, text));
    await this.#add(base64, 0, base64.length);
  }

  #add(text: Buffer, start: number, end: number): Promise<void> | undefined {
    if (this.#textBytes + end - start >= TEXT_BYTES) return this.#addAndFlush(text, start, end);
    text.copy(this.#text, this.#textBytes, start, end);
    this.#textBytes += end - start;
    return undefined;
  }

  async #addAndFlush(text: Buffer, start: number, end: number): Promise<void> {
    for (let at = start; at < end;) {
      const added = text.copy(this.#text, this.#textBytes, at, end);
      at += added;
      this.#textBytes += added;
      if (this.#textBytes === TEXT_BYTES) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const text = this.#text.subarray(0, this.#textBytes);
    this.#textBytes = 0;
    await this.#store(this.#worded(() => this.#decoder.decode(text)));
  }

  #worded(decode: () => Buffer): Buffer {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof Base64Error)) throw error;
      throw invalidField(this.#rules.name, `${error.message}.`);
    }
  }

  async #store(bytes: Buffer): Promise<void> {
    const { name, maxBytes, tooLarge } = this.#rules;
    this.#sizeBytes += bytes.length;
    if (this.#sizeBytes > maxBytes) {
      throw fieldError(tooLarge, name, `is larger than ${maxBytes} bytes.`, { limit: maxBytes });
    }
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length;) at += (await this.#file!.write(bytes, at)).bytesWritten;
  }
}

function isUrl(text: string): boolean {
  return /^\s*https?:/i.test(text);
}

/** Checks that a text is a URL. Whether its host may be contacted is checked before the fetch. */
function checkedUrl(name: string, text: string): string {
  if (text.length > V1_LIMITS.urlLength) throw urlTooLong(name);
  const url = URL.parse(text);
  if (url === null) throw invalidField(name, 'is not a valid URL.');
  // The parsed URL is what will be requested. The client's text may contain characters that
  // PostgreSQL cannot store.
  return url.href;
}

function urlTooLong(name: string): AppError {
  const limit = V1_LIMITS.urlLength;
  return invalidField(name, `is a URL longer than ${limit} characters.`, { limit });
}

/**
 * Returns the base64 of a data URI. Any other text is taken as base64, and is checked when decoded.
 */
function base64Of(name: string, text: string): string {
  if (!/^\s*data:/i.test(text)) return text;
  const comma = text.indexOf(',');
  if (comma === -1 || !/;\s*base64\s*$/i.test(text.slice(0, comma))) {
    throw invalidField(name, 'must be a data: URI with base64.');
  }
  return text.slice(comma + 1);
}
