import type { Database } from '../../db/database.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { NewTask } from '../../tasks/task.ts';

/**
 * Creates a short, free task that clients do not see, because a request waits for its result. It
 * takes over the inputs.
 * @returns its id
 */
export async function createHiddenTask(
  db: Database,
  owner: Pick<NewTask, 'accountId' | 'interface'>,
  work: NewTask['work'],
): Promise<string> {
  const { task } = await createTask(db, {
    ...owner,
    type: 'DETECT_FACES',
    lane: 'short',
    parameters: {},
    work,
    costCredits: 0,
  });
  return task!.id;
}
