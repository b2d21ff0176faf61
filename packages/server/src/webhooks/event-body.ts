import type { WebhookEvent } from '@guise/contract/v1/webhook-schemas.ts';
import type { Database } from '../db/database.ts';
import { TASK_COLUMNS, type TaskRow, toTask } from '../tasks/task-row.ts';
import type { Task } from '../tasks/task.ts';
import type { ClaimedEvent } from './claim-events.ts';

/** Error for a task that this version cannot present. The cause contains the reason. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
}

/**
 * Returns the body of an event. It is made and stored before the first attempt, so that later
 * attempts send the same bytes, even by a newer version.
 * @returns null if the lease was lost, or the account was deleted.
 * @throws RenderError; errors of the database.
 */
export async function eventBody(
  db: Database,
  event: ClaimedEvent,
  present: (task: Task) => WebhookEvent,
): Promise<string | null> {
  if (event.body !== null) return event.body;
  const { rows } = await db.pool.query<TaskRow>(
    `select ${TASK_COLUMNS.join(', ')} from tasks where id = $1`,
    [event.taskId],
  );
  if (rows[0] === undefined) return null;
  const body = render(toTask(rows[0]), present);
  const kept = await db.pool.query(
    'update webhook_events set body = $3 where id = $1 and lease_token = $2 and body is null',
    [event.id, event.leaseToken, body],
  );
  return kept.rowCount === 1 ? body : null;
}

function render(task: Task, present: (task: Task) => WebhookEvent): string {
  try {
    return JSON.stringify(present(task));
  } catch (cause) {
    throw new RenderError(`the event of task ${task.id} cannot be rendered`, { cause });
  }
}
