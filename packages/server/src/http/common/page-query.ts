import type { FastifyRequest } from 'fastify';
import { AppError, invalidField, unknownNameError } from '@guise/contract/errors.ts';
import { isUuid } from './query.ts';

/** Number of rows in a page by default. */
const DEFAULT_LIMIT = 25;

/** Largest number of rows in a page. */
const MAX_LIMIT = 100;

/**
 * Reads the parameters of a query. Each must be known and be sent at most once.
 * @throws AppError INVALID_REQUEST
 */
export function readQuery(
  request: FastifyRequest,
  known: readonly string[],
): Record<string, string | undefined> {
  const query = request.query as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    if (!known.includes(name)) throw unknownNameError('query parameter', name);
    if (typeof value !== 'string') throw invalidField(name, 'must be given once.');
    // PostgreSQL cannot store such text.
    if (value.includes('\0')) throw invalidField(name, 'contains a character that is not allowed.');
  }
  return query as Record<string, string | undefined>;
}

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** Reads the page of a list whose rows have UUIDs. @throws AppError INVALID_REQUEST */
export function readPage(query: PageQuery): { readonly limit: number; readonly after?: string } {
  const after = readUuid('cursor', query.cursor);
  return { limit: readLimit(query), ...(after === undefined ? {} : { after }) };
}

/**
 * Reads the page of a list whose rows have increasing numbers as ids. @throws AppError
 * INVALID_REQUEST
 */
export function readNumberPage(query: PageQuery): { readonly limit: number; readonly before?: number } {
  const { cursor } = query;
  const limit = readLimit(query);
  return cursor === undefined
    ? { limit }
    : { limit, before: readWhole('cursor', cursor, 1, Number.MAX_SAFE_INTEGER) };
}

function readLimit({ limit }: PageQuery): number {
  return readWhole('limit', limit, DEFAULT_LIMIT, MAX_LIMIT);
}

/** Reads a whole number. @throws AppError INVALID_REQUEST unless it is from 1 to `max`. */
export function readWhole(name: string, text: string | undefined, fallback: number, max: number): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) {
    throw invalidField(name, `must be a whole number from 1 to ${max}.`, { limit: max });
  }
  return value;
}

/** Reads one of the allowed values. @throws AppError INVALID_REQUEST naming them. */
export function readOneOf<T extends string>(
  name: string,
  text: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  if (!(allowed as readonly string[]).includes(text)) {
    throw invalidField(name, `must be one of ${allowed.join(', ')}.`);
  }
  return text as T;
}

function readUuid(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && !isUuid(text)) throw invalidField(name, 'is malformed.');
  return text;
}

/**
 * Lists a page and the cursor of the next page. Requests one more row than the limit, to know
 * whether there is a next page.
 */
export async function onePage<
  Asked extends { readonly limit: number },
  Row extends { readonly id: string | number },
>(
  page: Asked,
  list: (page: Asked) => Promise<Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> {
  const found = await list({ ...page, limit: page.limit + 1 });
  const rows = found.slice(0, page.limit);
  return { rows, next: found.length > rows.length ? String(rows.at(-1)!.id) : null };
}

/**
 * Reads `:id` of a path. @throws AppError NOT_FOUND if it is not a UUID, because nothing has such
 * an id.
 */
export function readId(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!isUuid(id)) throw new AppError('NOT_FOUND', 'There is nothing with this id.');
  return id;
}
