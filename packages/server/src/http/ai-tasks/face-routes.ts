import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  DeletedFaceBody,
  FaceListBody,
  SavedFaceBody,
  WithdrawalBody,
} from '@guise/contract/ai-tasks/face-schemas.ts';
import { FACE_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { AppError } from '@guise/contract/errors.ts';
import { createFace } from '../../faces/create-face.ts';
import { deleteFace } from '../../faces/delete-face.ts';
import { findFace, listFaces, type SavedFace } from '../../faces/saved-face.ts';
import { withdrawFace } from '../../faces/withdraw-face.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import { presentSavedFace } from '../../present/ai-tasks/present-saved-face.ts';
import { checkFace } from '../common/check-face.ts';
import type { HttpDeps } from '../common/deps.ts';
import { readId } from '../common/page-query.ts';
import { requireNoQuery } from '../common/query.ts';
import { withdrawDeps } from '../common/withdraw-deps.ts';
import { callerOf } from '../plugins/admission.ts';
import { type CheckedRequest, checkRequest, quoteForFree } from './post-routes.ts';
import { reading, writing } from './route-options.ts';

/** Adds the routes of `/api/faces`: faces that an account keeps. */
export function addFaceRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { publicUrl } = deps.config;
  const one = `${FACE_FORM.path}/:id`;
  app.post(FACE_FORM.path, writing(deps), (request, reply) => postFace(deps, request, reply));
  app.get(FACE_FORM.path, reading(deps), async (request): Promise<FaceListBody> => {
    requireNoQuery(request);
    const faces = await listFaces(deps.database, callerOf(request).id);
    return { faces: faces.map((face) => presentSavedFace(face, publicUrl)) };
  });
  app.get(one, reading(deps), async (request): Promise<SavedFaceBody> => {
    requireNoQuery(request);
    const face = await findFace(deps.database.pool, callerOf(request).id, readId(request));
    return presentSavedFace(found(face), publicUrl);
  });
  app.delete(one, reading(deps), async (request): Promise<DeletedFaceBody> => {
    requireNoQuery(request);
    const id = readId(request).toLowerCase();
    const deletedPhotos = await deleteFace(deps.database, deps.storage, callerOf(request).id, id);
    return { id, deletedPhotos: found(deletedPhotos) };
  });
  app.post(`${one}/withdraw`, writing(deps), async (request): Promise<WithdrawalBody> => {
    requireNoQuery(request);
    const { id: accountId } = callerOf(request);
    const { id } = found(await findFace(deps.database.pool, accountId, readId(request)));
    const withdrawal = await withdrawFace(withdrawDeps(deps), id);
    const { withdrawnAt } = found(await findFace(deps.database.pool, accountId, id));
    return { withdrawnAt: withdrawnAt!.toISOString(), ...withdrawal };
  });
}

async function postFace(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const checked = await checkRequest(deps, FACE_FORM, request, reply);
  if ('dryRun' in checked && checked.dryRun) {
    const { status, body } = await quoteForFree(deps, checked, reply);
    return reply.code(status).send(body);
  }
  const { id: accountId } = callerOf(request);
  const face =
    'earlier' in checked
      ? found(await findFace(deps.database.pool, accountId, (checked.earlier.body as { id: string }).id))
      : await saveFace(deps, checked, reply);
  return reply.code(201).send(presentSavedFace(face, deps.config.publicUrl));
}

/** Checks and saves a face. Its photos are deleted if that fails. */
async function saveFace(deps: HttpDeps, checked: CheckedRequest, reply: FastifyReply): Promise<SavedFace> {
  const { accountId, idempotency } = checked;
  const form = checked.form as TakenForm as TakenForm<typeof FACE_FORM>;
  let isKept = false;
  try {
    const { photos } = form.lists;
    const { name, consent } = form.texts;
    const thumbnail = await checkFace(deps, accountId, photos, reply);
    const newFace = { accountId, name, consent, photos, thumbnail };
    const { face, isNew } = await createFace(deps.database, newFace, idempotency);
    isKept = isNew;
    return face;
  } finally {
    if (!isKept) await form.discard();
  }
}

/** Returns what was found. An id of another account gives the same error as an unknown one. */
function found<T>(value: T | null): T {
  if (value === null) throw new AppError('NOT_FOUND', 'There is no such face.');
  return value;
}
