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
import { type AuditEntry, listAudit } from '../../../operator/audit.ts';
import { type Failure, listFailures } from '../../../operator/overview.ts';
import { listWorkers, type WorkerPresence } from '../../../tasks/queue/worker-presence.ts';
import type { HttpDeps } from '../../common/deps.ts';
import { onePage, readNumberPage, readPage, readQuery } from '../../common/page-query.ts';
import { presentOverview } from './present-overview.ts';

/** Adds the routes that report the current state and past actions. */
export function addOperatorReportRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { database } = deps;
  app.get('/account/operator/overview', { schema: { response: { 200: overviewSchema } } }, () =>
    presentOverview(deps),
  );
  app.get(
    '/account/operator/workers',
    { schema: { response: { 200: workersSchema } } },
    async (request): Promise<WorkersBody> => {
      const page = readPage(readQuery(request, ['cursor', 'limit']));
      const { rows, next } = await onePage(page, (asked) => listWorkers(database, asked));
      return { workers: rows.map(presentWorker), next };
    },
  );
  app.get(
    '/account/operator/failures',
    { schema: { response: { 200: failuresSchema } } },
    async (request): Promise<FailuresBody> => {
      const page = readPage(readQuery(request, ['cursor', 'limit']));
      const { rows, next } = await onePage(page, (asked) => listFailures(database, asked));
      return { failures: rows.map(presentFailure), next };
    },
  );
  app.get(
    '/account/operator/audit',
    { schema: { response: { 200: auditSchema } } },
    async (request): Promise<AuditBody> => {
      const page = readNumberPage(readQuery(request, ['cursor', 'limit']));
      const { rows, next } = await onePage(page, (asked) => listAudit(database, asked));
      return { entries: rows.map(presentEntry), next };
    },
  );
}

function presentWorker({
  startedAt,
  seenAt,
  networks,
  ...worker
}: WorkerPresence): WorkersBody['workers'][number] {
  return {
    ...worker,
    startedAt: startedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    networks: (networks ?? []).map(({ id, providers }) => ({ id, providers: [...providers] })),
  };
}

function presentFailure({ id, completedAt, ...failure }: Failure): FailuresBody['failures'][number] {
  return { ...failure, taskId: id, completedAt: completedAt.toISOString() };
}

function presentEntry({ createdAt, ...entry }: AuditEntry): AuditBody['entries'][number] {
  return { ...entry, createdAt: createdAt.toISOString() };
}
