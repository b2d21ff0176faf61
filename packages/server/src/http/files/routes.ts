import path from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentTypeOf } from '@guise/contract/formats.ts';
import { FILES_PATH } from '../../storage/file-links.ts';
import { isMissing } from '../../storage/local-storage.ts';
import type { ByteRange, Storage } from '../../storage/storage.ts';
import type { HttpDeps } from '../common/deps.ts';
import { parseByteRange } from './byte-range.ts';

type FileDeps = Pick<HttpDeps, 'links' | 'storage'>;

/** Headers that prevent a media file from running anything in a browser. */
const FILE_HEADERS: Record<string, string> = {
  'accept-ranges': 'bytes',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Serves signed links (docs/spec/details#output-links). The signature proves that the link is
 * allowed.
 */
export function addFileRoutes(app: FastifyInstance, deps: FileDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${FILES_PATH}*`,
    handler: (request, reply) => sendFile(deps, request, reply),
  });
}

async function sendFile(
  { links, storage }: FileDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = (request.params as { '*': string })['*'];
  const { expires, signature } = request.query as Record<string, unknown>;
  const state = links.check(key, textOrNothing(expires), textOrNothing(signature));
  if (state === 'bad') return refuse(reply, 403, 'The signature of this link is missing or wrong.');
  if (state === 'expired') return refuse(reply, 410, 'This link has expired.');
  const sizeBytes = await storage.sizeBytes(key);
  if (sizeBytes === null) return refuse(reply, 410, 'This file is no longer stored.');

  // The content of a key never changes, so the key is a strong validator.
  const etag = `"${path.basename(key, path.extname(key))}"`;
  const secondsLeft = Number(expires) - Math.floor(Date.now() / 1000);
  reply.headers(FILE_HEADERS).header('etag', etag);
  reply.header('cache-control', `private, max-age=${secondsLeft}, immutable`);
  const { range: rangeHeader, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, etag)) return reply.code(304).send();

  const range = ifRange === undefined || ifRange === etag ? parseByteRange(rangeHeader, sizeBytes) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${sizeBytes}`);
    return refuse(reply, 416, `The file has only ${sizeBytes} bytes.`);
  }
  // The file is opened before the headers are set, because its owner may be deleting it now.
  const file = request.method === 'HEAD' ? null : await openIfStored(storage, key, range);
  if (file === 'gone') return refuse(reply, 410, 'This file is no longer stored.');
  // The signature covers the key, so its extension can be trusted.
  reply.type(contentTypeOf(key) ?? 'application/octet-stream');
  reply.header('content-disposition', `inline; filename="${path.basename(key)}"`);
  reply.header('content-length', range === null ? sizeBytes : range.end - range.start + 1);
  if (range !== null)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
  return file === null ? reply.send() : reply.send(file);
}

async function openIfStored(
  storage: Storage,
  key: string,
  range: ByteRange | null,
): Promise<Readable | 'gone'> {
  try {
    return await storage.openRead(key, range ?? undefined);
  } catch (error) {
    if (isMissing(error)) return 'gone';
    throw error;
  }
}

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({ error });
}

/**
 * Returns a query parameter. One that is sent twice is an array, which no link of ours contains.
 */
function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return (
    ifNoneMatch === '*' || ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
  );
}
