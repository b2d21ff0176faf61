import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FormDeclaration, FormField } from '@guise/contract/ai-tasks/form.ts';
import { bodyLimitBytes, readForm, type ReadForm } from '../../intake/read-form.ts';
import { takeForm, type TakenForm } from '../../intake/take-form.ts';
import { abortWhenClientLeaves } from '../common/abort-when.ts';
import type { HttpDeps } from '../common/deps.ts';
import { withUpload } from './with-upload.ts';

/** Reads the form of a POST. @throws as `withUpload` and `readForm` */
export function readUpload(
  deps: HttpDeps,
  declaration: FormDeclaration<FormField>,
  accountId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReadForm> {
  const limits = { accountId, maxBytes: bodyLimitBytes(declaration) };
  return withUpload(deps, request, reply, limits, (room) =>
    readForm(request.raw, declaration, deps.storage.scratch, room),
  );
}

/** Checks a form and stores its files. @throws as `takeForm` */
export function takeUpload<Form extends FormDeclaration>(
  { database, storage, config }: HttpDeps,
  read: ReadForm,
  declaration: Form,
  accountId: string,
  reply: FastifyReply,
): Promise<TakenForm<Form>> {
  const intake = { pool: database.pool, storage, maxImagePixels: config.maxImagePixels };
  // A video is probed in a child process, which is stopped if the client leaves.
  return abortWhenClientLeaves(reply, (signal) => takeForm(read, declaration, { accountId, signal }, intake));
}
