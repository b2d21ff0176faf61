import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import {
  type FormDeclaration,
  type FormField,
  isUpload,
  type UploadField,
} from '@guise/contract/ai-tasks/form.ts';
import { AppError, fieldError, invalidField, unknownNameError } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS, MEBIBYTE } from '@guise/contract/limits.ts';
import type { PromisedRoom } from '../storage/disk-room.ts';
import type { Scratch } from '../storage/scratch.ts';
import { cleanFileName } from './file-name.ts';
import { uploadBody } from './upload-body.ts';

/** A file of a form, stored in the scratch folder. */
export interface UploadedFile {
  readonly field: UploadField;
  /**
   * Name of the field. For a field with several files it includes the number: `targetImages[2]`.
   */
  readonly name: string;
  readonly fileName: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 of the file, in lower-case hex. */
  readonly sha256: string;
}

/** Complete multipart body, with values that have not been checked yet. */
export interface ReadForm {
  /** Texts by field name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files by their name. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/** Largest number of bytes of a field that is no free text. */
const MAX_TEXT_BYTES = 1024;
/** Largest number of bytes of a field. A character of a free text has at most four. */
const MAX_FIELD_BYTES = 4 * AI_TASKS_LIMITS.consentLength;

/** Largest number of header fields of a part, and of bytes of its header. */
const PART_HEADER_LIMITS = { headerPairs: 20, headerSize: 16 * 1024 };

/** Bytes that a body may have in addition to its files, for boundaries, part headers and texts. */
const OVERHEAD_BYTES = MEBIBYTE;

/**
 * Reads a multipart body. Files are streamed to the disk and hashed at the same time, so that
 * memory use stays low. The first broken rule ends the reading and deletes all files; the caller
 * drains the rest of the body.
 * @param room reserved disk space, which the body uses.
 * @throws AppError INVALID_REQUEST or the error of a file that is too large, naming the field; BUSY
 * if the
 *   disk fills up. The disk's own error.
 * @throws ClientGone
 */
export async function readForm(
  request: IncomingMessage,
  declaration: FormDeclaration<FormField>,
  scratch: Pick<Scratch, 'newPath'>,
  room: PromisedRoom,
): Promise<ReadForm> {
  const { fields } = declaration;
  const parser = openParser(request, fields);
  const texts = new Map<string, string>();
  const files = new Map<string, UploadedFile>();
  const paths: string[] = [];
  const writes: Promise<void>[] = [];
  const seen = new Map<string, number>();
  let filesBytes = 0;
  const failed = new AbortController();
  const parsed = Promise.withResolvers<void>();
  const fail = (error: unknown): void => {
    parsed.reject(error);
    failed.abort();
  };

  const takeText = (name: string | undefined, text: string, truncated: boolean): void => {
    const { field } = fieldFor(name, declaration, seen);
    if (isUpload(field)) throw invalidField(field.name, 'must be a file.');
    const limit = field.kind === 'text' ? MAX_FIELD_BYTES : MAX_TEXT_BYTES;
    if (truncated || Buffer.byteLength(text) > limit)
      throw invalidField(field.name, `is longer than ${limit} bytes.`, { limit });
    texts.set(field.name, text);
  };
  const takeFile = (name: string | undefined, stream: Readable, fileName: string | undefined): void => {
    const { field, count } = fieldFor(name, declaration, seen);
    if (!isUpload(field)) throw invalidField(field.name, 'must be text, not a file.');
    const { maxFiles, maxFilesBytes = Infinity } = declaration;
    if (maxFiles !== undefined && paths.length === maxFiles) {
      throw invalid(`The form has more than ${maxFiles} files.`, maxFiles);
    }
    const label = uploadName(field, count - 1);
    const onChunk = (sizeBytes: number, chunkBytes: number): void => {
      if (sizeBytes > field.maxBytes) throw fileTooLarge(label, field);
      filesBytes += chunkBytes;
      if (filesBytes > maxFilesBytes) throw tooLarge('All files together are', maxFilesBytes);
    };
    const path = scratch.newPath('upload');
    paths.push(path);
    const write = async (): Promise<void> => {
      const written = await writeHashed(stream, path, onChunk, failed.signal);
      files.set(label, { field, name: label, fileName: cleanFileName(fileName), path, ...written });
    };
    const writing = write();
    writing.catch(fail);
    writes.push(writing);
  };
  // Catches errors of a step, which would otherwise be thrown inside the parser.
  const guarded = (step: () => void): void => {
    try {
      if (!failed.signal.aborted) step();
    } catch (error) {
      fail(error);
    }
  };

  parser.on('field', (name, text, _nameTruncated, truncated) =>
    guarded(() => takeText(name, text, truncated)),
  );
  parser.on('file', (name, stream, fileName) => {
    // If the body ends inside a file, the stream also emits an error. Without this listener the
    // error would end the process.
    stream.on('error', () => {});
    guarded(() => takeFile(name, stream, fileName));
    if (failed.signal.aborted) stream.resume();
  });
  parser.on('partsLimit', () =>
    fail(invalid(`The form has more than ${partsLimit(fields)} parts.`, partsLimit(fields))),
  );
  parser.on('finish', () => parsed.resolve());
  parser.on('error', (error) => fail(malformed(error)));

  const limitBytes = bodyLimitBytes(declaration);
  let receivedBytes = 0;
  const body = uploadBody(request, room);
  body.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > limitBytes) fail(tooLarge('The request is', limitBytes));
  });
  body.on('error', fail);
  body.pipe(parser);
  try {
    await parsed.promise;
    await Promise.all(writes);
    return { texts, files };
  } catch (error) {
    failed.abort();
    await Promise.allSettled(writes);
    await Promise.all(paths.map((path) => rm(path, { force: true })));
    throw error;
  } finally {
    body.destroy();
  }
}

/** Deletes the files of a form that is not used. */
export async function discardForm(form: ReadForm): Promise<void> {
  await Promise.all(Array.from(form.files.values(), (file) => rm(file.path, { force: true })));
}

/**
 * Computes a SHA-256 over the texts and the hashes of the files. File names are left out: the same
 * picture under another name is the same request.
 */
export function digestOfForm({ texts, files }: ReadForm): Buffer {
  const parts = [
    ...Array.from(texts, ([name, text]) => [name, 'text', text]),
    ...Array.from(files.values(), ({ name, sha256 }) => [name, 'file', sha256]),
  ];
  parts.sort((a, b) => (a[0]! < b[0]! ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Opens the parser of a form. `@fastify/multipart` would hide which field and limit an error is
 * about, and could not refuse a form at its first wrong byte.
 */
function openParser(request: IncomingMessage, fields: readonly FormField[]): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw invalidContentType('The request body must have the Content-Type multipart/form-data.');
  }
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { fieldSize: MAX_FIELD_BYTES, parts: partsLimit(fields), ...PART_HEADER_LIMITS },
      isPartAFile: (_name, type, fileName) =>
        fileName !== undefined || type === 'application/octet-stream' || /^(image|video)\//.test(type ?? ''),
    });
  } catch (error) {
    throw invalidContentType('The Content-Type multipart/form-data has no boundary.', error);
  }
}

/** Returns the name of a file in messages and in `ReadForm.files`. */
export function uploadName(field: UploadField, number: number): string {
  return field.maxFiles === undefined ? field.name : `${field.name}[${number}]`;
}

/**
 * One part more than a correct form can have, so that the error for a field that was sent too often
 * can name the field.
 */
function partsLimit(fields: readonly FormField[]): number {
  return fields.reduce((sum, field) => sum + mostOf(field), 1);
}

function mostOf(field: FormField): number {
  return isUpload(field) ? (field.maxFiles ?? 1) : 1;
}

/** Returns the size of the largest correct body in bytes. */
export function bodyLimitBytes({
  fields,
  maxFilesBytes = Infinity,
  maxRequestBytes,
}: FormDeclaration<FormField>): number {
  if (maxRequestBytes !== undefined) return maxRequestBytes;
  const files = fields.reduce(
    (sum, field) => sum + (isUpload(field) ? field.maxBytes * mostOf(field) : 0),
    0,
  );
  return Math.min(files, maxFilesBytes) + OVERHEAD_BYTES;
}

/**
 * Finds the field of a part. @returns the field and how often it has been sent so far.
 * @throws AppError for a field that is unknown or was sent too often.
 */
function fieldFor(
  name: string | undefined,
  { fields }: FormDeclaration<FormField>,
  seen: Map<string, number>,
): { field: FormField; count: number } {
  if (name === undefined || name === '') throw invalid('A part of the form has no name.');
  const field = fields.find((each) => each.name === name);
  if (field === undefined) throw unknownNameError('field', name);
  const count = (seen.get(name) ?? 0) + 1;
  const most = mostOf(field);
  if (count > most) {
    throw most === 1
      ? invalidField(name, 'was sent twice.')
      : invalidField(name, `has more than ${most} files.`, { limit: most });
  }
  seen.set(name, count);
  return { field, count };
}

async function writeHashed(
  stream: Readable,
  path: string,
  onChunk: (sizeBytes: number, chunkBytes: number) => void,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const closed = new Promise<void>((resolve) => target.once('close', resolve));
  let sizeBytes = 0;
  await pipeline(
    stream,
    async function* meter(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length;
        onChunk(sizeBytes, chunk.length);
        hash.update(chunk);
        yield chunk;
      }
    },
    target,
    { signal },
    // An aborted pipeline may end while the file is still being opened. If the file were deleted
    // before that, it would be created again.
  ).finally(() => closed);
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** Error codes for a file that is too large, by the kind of its field. */
const TOO_LARGE_CODES = {
  file: 'IMAGE_TOO_LARGE',
  clip: 'VIDEO_TOO_LARGE',
  media: 'FILE_TOO_LARGE',
} as const;

function fileTooLarge(name: string, { kind, maxBytes }: UploadField): AppError {
  return fieldError(TOO_LARGE_CODES[kind], name, `is larger than ${maxBytes} bytes.`, { limit: maxBytes });
}

/** Makes an error that belongs to no single field. @param what subject and verb of the sentence */
function tooLarge(what: string, limitBytes: number): AppError {
  return new AppError('FILE_TOO_LARGE', `${what} larger than ${limitBytes} bytes.`, { limit: limitBytes });
}

function invalidContentType(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', message, { field: 'Content-Type' }, cause);
}

function invalid(message: string, limit?: number, cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', message, limit === undefined ? {} : { limit }, cause);
}

function malformed(cause: unknown): AppError {
  return invalid('The multipart body is malformed or ends too early.', undefined, cause);
}
