import { deleteObjects } from '../../storage/delete-objects.ts';
import type { TaskAddress } from '../../tasks/get-task.ts';
import { giveUpOutputs } from '../../tasks/own/delete-outputs.ts';
import type { HttpDeps } from './deps.ts';

/**
 * Deletes the outputs of a finished task, with their thumbnails.
 * @returns the number of the outputs; null where `getTask` would give null
 * @throws AppError TASK_UNFINISHED
 */
export async function deleteFiles(
  { database, storage }: HttpDeps,
  address: TaskAddress,
): Promise<number | null> {
  const given = await giveUpOutputs(database, address);
  if (given === null) return null;
  await deleteObjects(database.pool, storage, given.keys);
  return given.outputs;
}
