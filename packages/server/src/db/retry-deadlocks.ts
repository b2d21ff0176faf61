/** SQLSTATE of a transaction that PostgreSQL rolled back to end a deadlock. */
const DEADLOCK_SQLSTATE = '40P01';

/** Number of attempts after which the error is thrown. */
const MAX_ATTEMPTS = 5;

/**
 * Repeats `action` if PostgreSQL rolled it back because of a deadlock. Deadlocks can happen because
 * the end of a task and the deletion of an account take locks in different orders. `action` must be
 * one transaction or one statement.
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
