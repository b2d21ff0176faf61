import type { Database } from '../../db/database.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { IdempotentRequest, RememberedAnswer } from '../../tasks/idempotency.ts';
import type { NewTask } from '../../tasks/task.ts';

/**
 * Creates a task. If no task was created, also because of a replay, deletes the inputs.
 * @param answerOf makes the answer, which is remembered with the `Idempotency-Key`.
 * @throws AppError as `createTask`
 */
export async function createOrDiscard(
  db: Database,
  newTask: NewTask,
  taken: { discard(): Promise<void> },
  idempotency: IdempotentRequest | null,
  answerOf: (taskId: string) => RememberedAnswer,
): Promise<RememberedAnswer> {
  let created = false;
  try {
    const { task, replay } = await createTask(
      db,
      newTask,
      idempotency === null ? undefined : { ...idempotency, answer: answerOf },
    );
    if (task === null) return replay;
    created = true;
    return answerOf(task.id);
  } finally {
    if (!created) await taken.discard();
  }
}
