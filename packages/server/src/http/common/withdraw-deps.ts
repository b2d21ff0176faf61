import type { WithdrawDeps } from '../../faces/withdraw-face.ts';
import type { HttpDeps } from './deps.ts';

/** Returns what a withdrawal needs. */
export function withdrawDeps({ database, storage, ending }: HttpDeps): WithdrawDeps {
  return { database, storage, onEnded: ending.onEnded };
}
