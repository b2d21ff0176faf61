import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FormDeclaration } from '@guise/contract/ai-tasks/form.ts';
import { warnOfDetected } from '@guise/contract/warnings.ts';
import type { DetectFacesBody, Quote, TaskAcceptedBody } from '@guise/contract/ai-tasks/schemas.ts';
import { digestOfForm, discardForm } from '../../intake/read-form.ts';
import { idsOf } from '../../intake/take-faces.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import { type IdempotentRequest, isKeyKnown, type RememberedAnswer } from '../../tasks/idempotency.ts';
import { consentOf } from '../../faces/consent.ts';
import { priceOf } from '../../tasks/price-of.ts';
import type { DetectedImage, NewTask, StoredInput } from '../../tasks/task.ts';
import type { HttpDeps } from '../common/deps.ts';
import { callerOf } from '../plugins/admission.ts';
import { createOrDiscard } from '../common/create-or-discard.ts';
import { answerOnce, findEarlier, idempotentRequest, readIdempotencyKey } from '../common/idempotency.ts';
import { invalidField } from '@guise/contract/errors.ts';
import type { Plan } from '@guise/contract/plans.ts';
import { presentPersons } from '../../present/present-persons.ts';
import { runClipLook } from '../common/run-clip-look.ts';
import { presentFaces } from '../../present/present-faces.ts';
import { presentPreview } from '../../present/present-preview.ts';
import { presentParameters } from '../../present/ai-tasks/present-parameters.ts';
import { readDryRun } from '../common/query.ts';
import { runDetection } from '../common/run-detection.ts';
import { warnOfEach } from '../common/warnings.ts';
import { refuseBeyondAccount } from '../plugins/refuse-beyond-account.ts';
import { readUpload, takeUpload } from '../plugins/read-upload.ts';
import type { CreditsName, WorkPlan, Workflow } from './workflow.ts';

/** A POST that passed all checks. */
export interface CheckedRequest {
  readonly accountId: string;
  readonly plan: Plan;
  readonly dryRun: boolean;
  readonly form: TakenForm;
  readonly idempotency: IdempotentRequest | null;
}

/** A POST that was answered before. Its files have not been checked. */
interface Replay {
  readonly earlier: RememberedAnswer;
}

/** Handles POST on a workflow's path: creates a task, or answers a quote if `?dryRun=true`. */
export function postTask(deps: HttpDeps, workflow: Workflow) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const checked = await checkRequest(deps, workflow.form, request, reply, () =>
      refuseBeyondAccount(deps, request, reply),
    );
    const { status, body } =
      'earlier' in checked ? checked.earlier : await answer(deps, workflow, checked, reply);
    return reply.code(status).send(body);
  };
}

/** Handles POST on `/api/ai-tasks/detect-faces`. */
export function postDetection(deps: HttpDeps, form: FormDeclaration) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const checked = await checkRequest(deps, form, request, reply);
    const { status, body } =
      'earlier' in checked
        ? checked.earlier
        : ((await findPersons(deps, checked, reply)) ??
          (await lookOnly(deps, checked, reply, (images) => {
            if (checked.dryRun) return quote(images, 0);
            const [image] = images as [DetectedImage];
            const { width, height } = image;
            const warnings = warnOfDetected(image.faces);
            return {
              width,
              height,
              faces: presentFaces(image),
              ...presentPreview(image),
              ...(warnings.length === 0 ? {} : { warnings }),
            } satisfies DetectFacesBody;
          })));
    return reply.code(status).send(body);
  };
}

/**
 * Answers which people are in a video or GIF; null if the form has an image or asks for a quote.
 * @throws AppError INVALID_REQUEST unless the form has exactly one of image and video
 */
async function findPersons(
  deps: HttpDeps,
  { accountId, dryRun, form, idempotency }: CheckedRequest,
  reply: FastifyReply,
): Promise<RememberedAnswer | null> {
  const { image, video } = form.inputs;
  if ((image === undefined) === (video === undefined)) {
    await form.discard();
    throw image === undefined
      ? invalidField('image', 'is missing.')
      : invalidField('video', 'was sent beside image: send one of them.');
  }
  if (video === undefined || dryRun) return null;
  try {
    return await answerOnce(deps.database, accountId, idempotency, async () =>
      presentPersons((await runClipLook(deps, accountId, video, wantsPreview(form), reply)).outcome),
    );
  } finally {
    await form.discard();
  }
}

/**
 * Reads and checks a POST.
 * @param refuseTask refuses a new task based on the request's headers, before the body is read.
 */
export async function checkRequest(
  deps: HttpDeps,
  declaration: FormDeclaration,
  request: FastifyRequest,
  reply: FastifyReply,
  refuseTask: () => Promise<void> = async () => {},
): Promise<CheckedRequest | Replay> {
  const { id: accountId, plan } = callerOf(request);
  const dryRun = readDryRun(request);
  const key = readIdempotencyKey(request);
  if (!dryRun && (key === null || !(await isKeyKnown(deps.database, accountId, key)))) await refuseTask();
  const read = await readUpload(deps, declaration, accountId, request, reply);
  const idempotency = key === null ? null : idempotentRequest(key, request, digestOfForm(read));
  const earlier = await findEarlier(deps.database, accountId, idempotency, () => discardForm(read));
  if (earlier !== null) return { earlier };
  const form = await takeUpload(deps, read, declaration, accountId, reply);
  return { accountId, plan, dryRun, form, idempotency };
}

async function answer(
  deps: HttpDeps,
  workflow: Workflow,
  checked: CheckedRequest,
  reply: FastifyReply,
): Promise<RememberedAnswer> {
  const { credits, ...plan } = await planOrDiscard(deps, workflow, checked);
  return checked.dryRun
    ? lookOnly(deps, checked, reply, (images) => quote(images, credits, plan, workflow.creditsName))
    : create(deps, workflow, checked, plan, credits);
}

/** Planned work, and what is kept as the consent to it. */
interface ConsentedPlan extends WorkPlan {
  readonly consent: string | undefined;
}

async function planOrDiscard(
  deps: HttpDeps,
  workflow: Workflow,
  { form, plan }: Pick<CheckedRequest, 'form' | 'plan'>,
): Promise<ConsentedPlan & { readonly credits: number }> {
  try {
    const planned = workflow.plan(form);
    const consent = consentOf(form.texts.consent, form.savedFaces, planned.work, {
      plan,
      plans: deps.config.consentPlans,
    });
    const priced = { work: planned.work, costCredits: priceOf(planned.work, deps.config.prices) };
    const { work, costCredits } = await deps.engines.choose(priced, form.choices.engine, plan);
    return { ...planned, work, consent, credits: costCredits };
  } catch (error) {
    await form.discard();
    throw error;
  }
}

async function create(
  deps: HttpDeps,
  { type, lane, creditsName = 'requiredCredits' }: Workflow,
  { accountId, form, idempotency }: CheckedRequest,
  { work, quality, consent }: ConsentedPlan,
  credits: number,
): Promise<RememberedAnswer> {
  const accepted = (taskId: string): RememberedAnswer => ({
    status: 200,
    body: {
      taskId,
      status: 'PENDING',
      [creditsName]: credits,
      ...(quality === undefined ? {} : { quality }),
    } satisfies TaskAcceptedBody,
  });
  const newTask: NewTask = {
    accountId,
    interface: 'ai-tasks',
    type,
    lane,
    parameters: { ...presentParameters(form), ...(consent && { consent }) },
    work,
    faces: idsOf(form.savedFaces),
    costCredits: credits,
  };
  return createOrDiscard(deps.database, newTask, form, idempotency, accepted);
}

/** Answers a detection or quote. Its tasks are hidden from clients. */
async function lookOnly(
  deps: HttpDeps,
  { accountId, form, idempotency }: CheckedRequest,
  reply: FastifyReply,
  render: (images: readonly DetectedImage[]) => unknown,
): Promise<RememberedAnswer> {
  try {
    return await answerOnce(deps.database, accountId, idempotency, async () =>
      render(
        await runDetection(deps, { accountId, withPreviews: wantsPreview(form) }, stillsOf(form), reply),
      ),
    );
  } finally {
    await form.discard();
  }
}

/** Answers a quote of a request that costs nothing, with the faces of its images. */
export function quoteForFree(
  deps: HttpDeps,
  checked: CheckedRequest,
  reply: FastifyReply,
): Promise<RememberedAnswer> {
  return lookOnly(deps, checked, reply, (images) => quote(images, 0));
}

function wantsPreview({ choices }: TakenForm): boolean {
  return choices.preview === 'true';
}

/**
 * Returns the images of a form. Videos are left out, because looking at them would delay a quote.
 */
function stillsOf({ files }: TakenForm): StoredInput[] {
  return files.filter((file) => file.durationSeconds === undefined);
}

function quote(
  images: readonly DetectedImage[],
  credits: number,
  { warnings = warnOfEach }: Pick<WorkPlan, 'warnings'> = {},
  creditsName: CreditsName = 'requiredCredits',
): Quote {
  return {
    dryRun: true,
    [creditsName]: credits,
    faces: Object.fromEntries(images.map((image) => [image.field, presentFaces(image)])),
    warnings: warnings(images),
  };
}
