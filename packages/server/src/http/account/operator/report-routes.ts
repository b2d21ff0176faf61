import type { FastifyInstance } from 'fastify';
import {
  type AuditBody,
  auditSchema,
  type FailuresBody,
  failuresSchema,
  overviewSchema,
  type WorkersBody,
  workersSchema,
} from '@guise/contract/account/operator.ts';
import { listAudit } from '../../../operator/audit.ts';
import { listFailures } from '../../../operator/overview.ts';
import { listWorkers } from '../../../tasks/worker-presence.ts';
import type { HttpDeps } from '../../deps.ts';
import { ERRORS } from '../error-answers.ts';
import { nextOf, readNumberPage, readPage, readQuery } from '../page-query.ts';
import { presentOverview } from './present-overview.ts';

/** What goes on and what went on. */
export function addOperatorReportRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  app.get('/account/operator/overview', { schema: { response: { 200: overviewSchema, ...ERRORS } } }, () =>
    presentOverview(deps),
  );
  app.get(
    '/account/operator/workers',
    { schema: { response: { 200: workersSchema, ...ERRORS } } },
    async (request): Promise<WorkersBody> => {
      const page = readPage(readQuery(request, ['cursor', 'limit']));
      const workers = await listWorkers(database, page);
      return {
        workers: workers.map(({ startedAt, seenAt, ...worker }) => ({
          ...worker,
          startedAt: startedAt.toISOString(),
          seenAt: seenAt.toISOString(),
        })),
        next: nextOf(workers, page.limit),
      };
    },
  );
  app.get(
    '/account/operator/failures',
    { schema: { response: { 200: failuresSchema, ...ERRORS } } },
    async (request): Promise<FailuresBody> => {
      const page = readPage(readQuery(request, ['cursor', 'limit']));
      const failures = await listFailures(database, page);
      return {
        failures: failures.map(({ completedAt, ...failure }) => ({
          ...failure,
          completedAt: completedAt.toISOString(),
        })),
        next: nextOf(
          failures.map(({ taskId }) => ({ id: taskId })),
          page.limit,
        ),
      };
    },
  );
  app.get(
    '/account/operator/audit',
    { schema: { response: { 200: auditSchema, ...ERRORS } } },
    async (request): Promise<AuditBody> => {
      const page = readNumberPage(readQuery(request, ['cursor', 'limit']));
      const entries = await listAudit(database, page);
      return {
        entries: entries.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })),
        next: nextOf(entries, page.limit),
      };
    },
  );
}
