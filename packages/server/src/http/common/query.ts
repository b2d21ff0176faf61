import type { FastifyRequest } from 'fastify';
import { AppError, invalidField, unknownNameError } from '@guise/contract/errors.ts';

/** Form of a task id. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Reads `?taskId=<uuid>`, which must be the only parameter. @throws AppError INVALID_REQUEST */
export function readTaskId(request: FastifyRequest): string {
  return taskIdOf(readQuery(request, 'taskId'));
}

/** Reads `?taskId=<uuid>[&files=true]`. @throws AppError INVALID_REQUEST */
export function readDeletion(request: FastifyRequest): { readonly taskId: string; readonly files: boolean } {
  const query = readQuery(request, 'taskId', 'files');
  if (query.files !== undefined && query.files !== 'true') {
    throw invalidParameter('files', 'must be true or left out.');
  }
  return { taskId: taskIdOf(query), files: query.files === 'true' };
}

function taskIdOf(query: Record<string, unknown>): string {
  if (query.taskId === undefined) throw invalidParameter('taskId', 'is missing.');
  if (!isUuid(query.taskId)) throw malformedTaskId();
  return query.taskId;
}

/** Reads `?dryRun=true` or an empty query. @throws AppError INVALID_REQUEST */
export function readDryRun(request: FastifyRequest): boolean {
  const { dryRun } = readQuery(request, 'dryRun');
  if (dryRun !== undefined && dryRun !== 'true') {
    throw invalidParameter('dryRun', 'must be true or left out.');
  }
  return dryRun === 'true';
}

/** Refuses any query. @throws AppError INVALID_REQUEST */
export function requireNoQuery(request: FastifyRequest): void {
  readQuery(request);
}

function readQuery(request: FastifyRequest, ...allowed: string[]): Record<string, unknown> {
  const query = request.query as Record<string, unknown>;
  for (const name of Object.keys(query)) {
    if (!allowed.includes(name)) throw unknownNameError('query parameter', name);
  }
  return query;
}

export function malformedTaskId(): AppError {
  return invalidField('taskId', 'must be one UUID.');
}

function invalidParameter(name: string, rest: string): AppError {
  return new AppError('INVALID_REQUEST', `The query parameter ${name} ${rest}`, { field: name });
}
