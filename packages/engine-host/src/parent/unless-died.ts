import { TaskFailure } from '@guise/contract/errors.ts';
import { EngineDied } from './engine-died.ts';

/** Runs a trial in an engine process that may die or hang of it. @returns null if it did */
export async function unlessDied<T>(trial: () => Promise<T>): Promise<T | null> {
  try {
    return await trial();
  } catch (error) {
    if (error instanceof EngineDied || error instanceof TaskFailure) return null;
    throw error;
  }
}
