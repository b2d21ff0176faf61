/** SQLSTATE of a transaction that PostgreSQL undid to break a deadlock. */
const DEADLOCK_SQLSTATE = '40P01';

/** Tries after which the error is passed on. */
const MAX_ATTEMPTS = 5;

/**
 * Repeats `action` if PostgreSQL undid it to break a deadlock: the locks of a task's end and of an
 * account's deletion have no common order. `action` must be one transaction or one statement.
 */
export async function retryDeadlocks<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      const isDeadlock = (error as { readonly code?: unknown }).code === DEADLOCK_SQLSTATE;
      if (!isDeadlock || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
