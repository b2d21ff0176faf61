import { PLAN_LIMITS } from '@guise/contract/plans.ts';
import { refuseBeyond } from '../../tasks/check-unfinished.ts';
import type { HttpDeps } from '../common/deps.ts';
import type { PostHead } from './check-request.ts';

/**
 * Refuses a batch beyond the plan's limit before it is uploaded. The limit is checked again when
 * the task is created. Quotes and replays are not refused, because they create no batch.
 * @throws AppError CONCURRENT_BATCH_LIMIT
 */
export function refuseBatchBeyondPlan({ database }: HttpDeps) {
  return async ({ caller, dryRun, isKeyKnown }: PostHead): Promise<void> => {
    const limit = PLAN_LIMITS[caller.plan].concurrentBatches;
    if (limit === null || dryRun || isKeyKnown) return;
    const batch = { accountId: caller.id, interface: 'v1', type: 'BATCH_FACE_SWAP' } as const;
    await refuseBeyond(database.pool, batch, limit);
  };
}
