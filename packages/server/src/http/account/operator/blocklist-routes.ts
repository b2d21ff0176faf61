import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type BlockedPersonBody,
  blockedPersonSchema,
  type BlocklistBody,
  blocklistSchema,
} from '@guise/contract/account/operator.ts';
import { doneSchema } from '@guise/contract/account/sign-in.ts';
import { BLOCKLIST_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { type BlockedPerson, listBlocked } from '../../../blocklist/blocklist.ts';
import { blockPerson, unblockPerson } from '../../../operator/change-blocklist.ts';
import { sealFace } from '../../common/check-face.ts';
import type { HttpDeps } from '../../common/deps.ts';
import { onePage, readId, readPage, readQuery } from '../../common/page-query.ts';
import { readUpload, takeUpload } from '../../plugins/read-upload.ts';
import { operatorOf } from './operator.ts';

export function addOperatorBlocklistRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  const { path } = BLOCKLIST_FORM;
  app.get(
    path,
    { schema: { response: { 200: blocklistSchema } } },
    async (request): Promise<BlocklistBody> => {
      const page = readPage(readQuery(request, ['cursor', 'limit']));
      const { rows, next } = await onePage(page, (asked) => listBlocked(database.pool, asked));
      return { people: rows.map(present), next };
    },
  );
  app.register((scope, _options, done) => {
    // `readUpload` reads the body.
    scope.addContentTypeParser('multipart/form-data', (_request, _body, parsed) => parsed(null));
    scope.post(path, { schema: { response: { 201: blockedPersonSchema } } }, async (request, reply) =>
      reply.code(201).send(present(await addPerson(deps, request, reply))),
    );
    done();
  });
  app.delete(`${path}/:id`, { schema: { response: { 200: doneSchema } } }, async (request) => {
    await unblockPerson(database, operatorOf(request), readId(request));
    return { done: true };
  });
}

/** Adds the person of a photo, which is deleted in any case. */
async function addPerson(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<BlockedPerson> {
  const operator = operatorOf(request);
  const read = await readUpload(deps, BLOCKLIST_FORM, operator.id, request, reply);
  const form = await takeUpload(deps, read, BLOCKLIST_FORM, operator.id, reply);
  try {
    const embedding = await sealFace(deps, operator.id, form.inputs.photo, reply);
    return await blockPerson(deps.database, operator, form.texts, embedding);
  } finally {
    await form.discard();
  }
}

function present({ createdAt, ...person }: BlockedPerson): BlockedPersonBody {
  return { ...person, createdAt: createdAt.toISOString() };
}
