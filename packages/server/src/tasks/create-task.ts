import { randomUUID } from 'node:crypto';
import { AppError, fieldError } from '@guise/contract/errors.ts';
import type { Database, Queryable } from '../db/database.ts';
import { notifyInBackground } from '../db/notifications.ts';
import { retryDeadlocks } from '../db/retry-deadlocks.ts';
import { inTransaction } from '../db/transaction.ts';
import { keysOf } from '../networks/network-key.ts';
import { claimKey, type IdempotentRequest, type RememberedAnswer } from './idempotency.ts';
import { checkUnfinished } from './check-unfinished.ts';
import { SET_FINISH_TAGS, START_TAG } from './start-tag.ts';
import { type TaskRow, taskColumns, toTask } from './task-row.ts';
import { networksOf, type NewTask, type Task } from './task.ts';
import { inputsOf } from './work-inputs.ts';

export interface CreateIdempotency extends IdempotentRequest {
  /**
   * The answer that a repeated request gets. It is known before the task exists, except for the
   * task's id.
   */
  readonly answer: (taskId: string) => RememberedAnswer;
}

export type CreatedTask =
  | { readonly task: Task; readonly replay: null }
  /** The request has been answered before. Nothing was created, and its inputs are not needed. */
  | { readonly task: null; readonly replay: RememberedAnswer };

/**
 * Holds the credits, inserts the task, writes the ledger and assigns the uploads to the task: all
 * or nothing. Workers are notified after the commit.
 * @throws AppError INSUFFICIENT_CREDITS, IDEMPOTENCY_CONFLICT, CONCURRENT_BATCH_LIMIT,
 * FACE_WITHDRAWN
 */
export async function createTask(
  db: Database,
  newTask: NewTask,
  idempotency?: CreateIdempotency,
): Promise<CreatedTask> {
  const taskId = randomUUID();
  const { maxUnfinished, faces = [] } = newTask;
  const created =
    idempotency === undefined && maxUnfinished === undefined && faces.length === 0
      ? { task: await retryDeadlocks(() => insertTask(db.pool, taskId, newTask)), replay: null }
      : await inTransaction(db.pool, async (client): Promise<CreatedTask> => {
          if (idempotency !== undefined) {
            const replay = await claimKey(client, newTask.accountId, idempotency, idempotency.answer(taskId));
            if (replay !== null) return { task: null, replay };
          }
          if (maxUnfinished !== undefined) await checkUnfinished(client, newTask, maxUnfinished);
          const task = await insertTask(client, taskId, newTask);
          for (const face of faces) await noteFace(client, newTask.accountId, taskId, face);
          return { task, replay: null };
        });
  if (created.task !== null) notifyInBackground(db.pool, 'guise_pending', newTask.lane);
  return created;
}

/**
 * Notes that a task uses a saved face. A withdrawal of the consent waits for the lock, and then
 * sees the task.
 * @throws AppError FACE_WITHDRAWN if it was withdrawn or deleted since the request was checked
 */
async function noteFace(
  client: Queryable,
  accountId: string,
  taskId: string,
  { field, id }: NonNullable<NewTask['faces']>[number],
): Promise<void> {
  const { rowCount } = await client.query({
    name: 'note-face',
    text: `with usable as (
        select id from faces where id = $1 and account_id = $2 and withdrawn_at is null for share
      ), noted as (
        insert into task_faces (task_id, face_id) select $3, id from usable on conflict do nothing
      ) select from usable`,
    values: [id, accountId, taskId],
  });
  if (rowCount === 0) throw fieldError('FACE_WITHDRAWN', field, 'is a face that can no longer be used.');
}

type CreateRow = TaskRow & { readonly inputs_found: number; readonly credits_available: number | null };

/** Inserts the task in a single statement, which is atomic even without a transaction. */
async function insertTask(client: Queryable, taskId: string, newTask: NewTask): Promise<Task> {
  const keys = inputsOf(newTask.work).map(({ objectKey }) => objectKey);
  for (;;) {
    const { rows } = await client.query<CreateRow>({
      name: newTask.costCredits === 0 ? 'create-free-task' : 'create-task',
      text: newTask.costCredits === 0 ? CREATE_FREE_SQL : CREATE_SQL,
      values: [
        taskId,
        newTask.accountId,
        newTask.interface,
        newTask.type,
        newTask.lane,
        newTask.type === 'DETECT_FACES',
        JSON.stringify(newTask.parameters),
        JSON.stringify(newTask.work),
        newTask.costCredits,
        keys,
        newTask.webhookUrl === undefined ? null : new URL(newTask.webhookUrl).href,
        keysOf(networksOf(newTask.work)),
      ],
    });
    const row = rows[0] as CreateRow;
    if (row.id !== null) return toTask(row);
    if (row.credits_available === null) throw new Error(`account ${newTask.accountId} does not exist`);
    if (row.inputs_found !== keys.length) throw new Error('an upload was swept before its task was created');
    // The balance is from the statement's snapshot. If credits were granted while the statement
    // waited for the row lock, the next try sees them.
    if (row.credits_available < newTask.costCredits) {
      throw insufficientCredits(newTask.costCredits, row.credits_available);
    }
  }
}

function insufficientCredits(required: number, available: number): AppError {
  const cost = required === 1 ? '1 credit' : `${required} credits`;
  return new AppError('INSUFFICIENT_CREDITS', `This task costs ${cost} and the account has ${available}.`, {
    required,
    available,
  });
}

/**
 * SQL that locks the uploads of the task: only those that belong to no task yet and are not due for
 * deletion.
 */
const LOCK_INPUTS_SQL = `inputs as (
    select key from objects
    where key = any($10::text[]) and account_id = $2 and task_id is null and delete_after > now()
    for update
  )`;

/** SQL that inserts the task and protects its uploads from deletion. */
const INSERT_TASK_SQL = `task as (
    insert into tasks
      (id, account_id, interface, type, lane, hidden, parameters, work, cost_credits, webhook_url, networks,
        start_tag)
    select $1, payer.id, $3, $4, $5, $6, $7, $8, $9, $11, $12::text[], payer.start_tag from payer
    returning *
  ), kept as (
    update objects set task_id = $1, delete_after = 'infinity' from inputs, payer where objects.key = inputs.key
  )`;

/** SQL for a `CreateRow`: the task, or the reason why there is none. */
const SELECT_RESULT_SQL = `select ${taskColumns('task')},
    (select count(*) from inputs) as inputs_found,
    (select credits_available from accounts where id = $2) as credits_available
  from (select 1) as always left join task on true`;

/** SQL that creates a task and holds its credits. */
const CREATE_SQL = `with ${LOCK_INPUTS_SQL}, payer as (
    update accounts set
      credits_available = credits_available - $9, credits_held = credits_held + $9, ${SET_FINISH_TAGS}
    where id = $2 and credits_available >= $9 and (select count(*) from inputs) = cardinality($10::text[])
    returning id, credits_available, credits_held, ${START_TAG} as start_tag
  ), ${INSERT_TASK_SQL}, entry as (
    insert into credit_entries
      (account_id, task_id, kind, available_change, held_change, available_after, held_after)
    select payer.id, $1, 'hold', -$9, $9, payer.credits_available, payer.credits_held from payer
  ) ${SELECT_RESULT_SQL}`;

/** SQL that creates a free task. */
const CREATE_FREE_SQL = `with ${LOCK_INPUTS_SQL}, payer as (
    update accounts set ${SET_FINISH_TAGS}
    where id = $2 and (select count(*) from inputs) = cardinality($10::text[])
    returning id, ${START_TAG} as start_tag
  ), ${INSERT_TASK_SQL} ${SELECT_RESULT_SQL}`;
