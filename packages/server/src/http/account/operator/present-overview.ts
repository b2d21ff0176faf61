import type { OverviewBody } from '@guise/contract/account/operator.ts';
import { PLAN_LIMITS } from '@guise/contract/plans.ts';
import { readTotals } from '../../../operator/overview.ts';
import { readQueueDepth } from '../../../tasks/queue/queue-depth.ts';
import { countWorkers } from '../../../tasks/queue/worker-presence.ts';
import type { HttpDeps } from '../../common/deps.ts';

/** Presents the state of the whole installation and its current settings. */
export async function presentOverview({ database, config, signIn }: HttpDeps): Promise<OverviewBody> {
  const [queue, workers, totals] = await Promise.all([
    readQueueDepth(database),
    countWorkers(database),
    readTotals(database),
  ]);
  return {
    queue,
    workers,
    ...totals,
    lastDay: totals.lastDay.map(({ hour, completed, failed, cancelled }) => ({
      hour: hour.toISOString(),
      completed,
      failed,
      cancelled,
    })),
    prices: config.prices,
    plans: PLAN_LIMITS,
    settings: {
      signUp: config.signUp,
      mail: signIn.mailer.kind,
      startingCredits: config.startingCredits,
      startingPlan: config.startingPlan,
      publicUrl: config.publicUrl,
      taskDeadlineSeconds: config.taskDeadlineMs / 1000,
      inputRetentionSeconds: config.inputRetentionMs / 1000,
      outputLifetimeSeconds: config.outputLifetimeMs / 1000,
      maxImagePixels: config.maxImagePixels,
    },
  };
}
