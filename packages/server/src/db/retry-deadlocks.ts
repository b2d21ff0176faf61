const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 5;

/**
 * Does `action` again where PostgreSQL broke a deadlock by undoing all of it: what a task's end and
 * an account's deletion lock has no common order. `action` is one transaction, or one statement
 * that is its own.
 */
export async function retryDeadlocks<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      const isDeadlock = (error as { readonly code?: unknown }).code === DEADLOCK_DETECTED;
      if (!isDeadlock || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
