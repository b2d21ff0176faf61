import type { Transaction } from '../db/transaction.ts';
import { type TaskAddress, typesOf } from './get-task.ts';
import { TASK_COLUMNS, type TaskRow } from './task-row.ts';

/** A worker's right to work on a task. It ends when the lease is taken away. */
export interface Lease {
  readonly taskId: string;
  readonly leaseToken: string;
}

/** Locks the task until the transaction ends. Returns null if the lease is not valid any more. */
export async function lockLeasedTask(client: Transaction, lease: Lease): Promise<TaskRow | null> {
  const { rows } = await client.query<TaskRow>({
    name: 'lock-leased-task',
    text: `select ${TASK_COLUMNS.join(', ')} from tasks
      where id = $1 and lease_token = $2 and status = 'PROCESSING' for update`,
    values: [lease.taskId, lease.leaseToken],
  });
  return rows[0] ?? null;
}

/** Locks a client's task, in any status, until the transaction ends. */
export async function lockAddressedTask(client: Transaction, address: TaskAddress): Promise<TaskRow | null> {
  const { rows } = await client.query<TaskRow>({
    name: 'lock-addressed-task',
    text: `select ${TASK_COLUMNS.join(', ')} from tasks
      where id = $1 and account_id = $2 and interface = $3 and type = any($4) and not hidden for update`,
    values: [address.taskId, address.accountId, address.interface, typesOf(address)],
  });
  return rows[0] ?? null;
}
