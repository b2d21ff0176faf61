import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkAccountLimits } from '../../tasks/account-limits.ts';
import type { HttpDeps } from '../common/deps.ts';
import { callerOf, refundRate } from './admission.ts';

/**
 * Refuses a request for a new task beyond the account's limits, before its body is read. A refused
 * request does not count against the rate limit.
 * @throws AppError TASK_LIMIT, OUTPUT_LIMIT
 */
export async function refuseBeyondAccount(
  { config, database, readDatabase }: Pick<HttpDeps, 'config' | 'database' | 'readDatabase'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { id, plan } = callerOf(request);
  try {
    await checkAccountLimits(readDatabase.pool, id, config.accountLimits[plan]);
  } catch (error) {
    await refundRate(database, request, reply);
    throw error;
  }
}
