import type { FailureCode } from '@guise/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { FinishedPart, PartStep } from './part.ts';

interface FinishedRow {
  readonly position: number;
  readonly status: 'DONE' | 'FAILED';
  readonly result: unknown;
  readonly code: FailureCode;
  readonly message: string;
}

/**
 * Reads the outcomes of finished parts of a step, in order. @param positions of the parts to read;
 * unfinished parts are left out
 */
export async function readFinishedParts(
  db: Database,
  { taskId, step }: { readonly taskId: string; readonly step: PartStep },
  positions: readonly number[],
): Promise<FinishedPart[]> {
  const { rows } = await db.pool.query<FinishedRow>({
    name: 'read-finished-parts',
    text: `select position, status, result, error_code as code, coalesce(error_message, '') as message
      from task_parts
      where task_id = $1 and step = $2 and status in ('DONE', 'FAILED') and position = any($3::int[])
      order by position`,
    values: [taskId, step, positions],
  });
  return rows.map(({ position, status, result, code, message }) =>
    status === 'DONE' ? { position, status, result } : { position, status, code, message },
  );
}

/** Reads the progress of those parts of a step that have one, including finished parts. */
export async function readPartProgress(
  db: Database,
  { taskId, step }: { readonly taskId: string; readonly step: PartStep },
): Promise<{ readonly position: number; readonly progress: unknown }[]> {
  const { rows } = await db.pool.query<{ position: number; progress: unknown }>({
    name: 'read-part-progress',
    text: `select position, progress from task_parts
      where task_id = $1 and step = $2 and progress is not null order by position`,
    values: [taskId, step],
  });
  return rows;
}

/**
 * Reads the engine that the parts of a step require; null if there are no parts or any engine may
 * do them.
 */
export async function readStepEngine(
  db: Database,
  { taskId, step }: { readonly taskId: string; readonly step: PartStep },
): Promise<string | null> {
  const { rows } = await db.pool.query<{ engine: string | null }>({
    name: 'read-step-engine',
    text: 'select engine from task_parts where task_id = $1 and step = $2 limit 1',
    values: [taskId, step],
  });
  return rows[0]?.engine ?? null;
}

/** Reads the positions of all parts of a step, in any status. */
export async function readPartPositions(
  db: Database,
  { taskId, step }: { readonly taskId: string; readonly step: PartStep },
): Promise<number[]> {
  const { rows } = await db.pool.query<{ position: number }>({
    name: 'read-part-positions',
    text: 'select position from task_parts where task_id = $1 and step = $2 order by position',
    values: [taskId, step],
  });
  return rows.map(({ position }) => position);
}
