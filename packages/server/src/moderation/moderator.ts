import { TaskFailure } from '@guise/contract/errors.ts';
import type { ModerationConfig } from '../config/config.ts';
import type { GuardedClient, GuardedClientOptions } from '../net/guarded-client.ts';
import { withDeadline } from '../net/with-deadline.ts';
import type { FileLinks } from '../storage/file-links.ts';
import type { ClaimedTask } from '../tasks/queue/claim-tasks.ts';
import type { Logger } from '../telemetry/log.ts';
import { signEvent } from '../webhooks/sign-event.ts';
import { type Decision, readDecision } from './decision.ts';
import { inputsOf, isSwap, type SwapOrder } from './task-inputs.ts';

/** Rules of the client that asks. The operator chose the address, so it may be anywhere. */
export const MODERATION_POLICY: GuardedClientOptions = { allowPrivate: true, permits: () => true };

/** Time for which links to inputs are valid. */
const LINK_SECONDS = 60;

/** Largest answer in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** First sentence of the error of a task that was refused. */
const REFUSED = "The operator's moderation refused this task.";

/** Error of a task that was refused because there was no valid answer. */
const NOT_ANSWERED = "The operator's moderation gave no answer, so this task was refused.";

export interface ModeratorDeps extends ModerationConfig {
  /** Client with `MODERATION_POLICY`. */
  readonly client: Pick<GuardedClient, 'post'>;
  readonly links: FileLinks;
  readonly log: Logger;
}

/**
 * Makes the function that asks the operator's moderation about a claimed task. It does not ask
 * about tasks that make no result. It rejects with a TaskFailure if the task must not begin, and
 * with the reason of its signal.
 */
export function createModerator(
  deps: ModeratorDeps,
): (task: ClaimedTask, signal: AbortSignal) => Promise<void> {
  return async (task, signal) => {
    const { work } = task;
    if (!isSwap(work)) return;
    const answer = await ask(deps, task, questionOf(deps, task, work), signal).catch((error: unknown) => {
      signal.throwIfAborted();
      deps.log.warn({ err: error, taskId: task.id }, 'moderation gave no valid answer about a task');
      return null;
    });
    if (answer === null) {
      if (deps.onTimeout === 'allow') return;
      throw new TaskFailure('MODERATION_REFUSED', NOT_ANSWERED);
    }
    if (answer.decision === 'allow') return;
    deps.log.info({ taskId: task.id, reason: answer.reason }, 'moderation refused a task');
    throw new TaskFailure(
      'MODERATION_REFUSED',
      answer.reason === undefined ? REFUSED : `${REFUSED} ${answer.reason}`,
    );
  };
}

/** Returns the body of the question about a task, with links that begin to expire now. */
function questionOf({ links }: ModeratorDeps, task: ClaimedTask, order: SwapOrder): string {
  const expiresAt = new Date((Math.ceil(Date.now() / 1000) + LINK_SECONDS) * 1000);
  return JSON.stringify({
    taskId: task.id,
    interface: task.interface,
    taskType: task.type,
    accountId: task.accountId,
    parameters: task.parameters,
    inputs: inputsOf(order).map((input) =>
      'url' in input
        ? { field: input.field, contentType: null, url: input.url, expiresAt: null }
        : {
            field: input.field,
            contentType: input.contentType,
            url: links.sign(input.objectKey, expiresAt),
            expiresAt: expiresAt.toISOString(),
          },
    ),
  });
}

/** @throws an error if there is no valid answer in time; the reason of `signal` */
async function ask(
  { url, secret, timeoutMs, client }: ModeratorDeps,
  task: ClaimedTask,
  body: string,
  signal: AbortSignal,
): Promise<Decision> {
  // The same at each attempt of a task.
  const id = `mod_${task.id.replaceAll('-', '')}`;
  const { status, bodyStart } = await withDeadline(timeoutMs, signal, async (inTime) => {
    const answer = await client.post(url, {
      headers: {
        'content-type': 'application/json',
        // A server may close an idle connection just when the next question is sent on it.
        connection: 'close',
        ...signEvent(id, body, new Date(), [secret]),
      },
      body,
      totalMs: timeoutMs,
      keptBytes: MAX_ANSWER_BYTES + 1,
      signal: inTime,
    });
    // A body that did not end in time is no answer.
    inTime.throwIfAborted();
    return answer;
  });
  if (status !== 200) throw new Error(`it answered ${status}`);
  if (Buffer.byteLength(bodyStart) > MAX_ANSWER_BYTES) throw new Error('its answer is too large');
  const decision = readDecision(bodyStart);
  if (decision === null) throw new Error('its answer is not a decision');
  return decision;
}
