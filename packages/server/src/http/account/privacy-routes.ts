import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type DeletionBody, deletionSchema } from '@guise/contract/account/own.ts';
import { deleteEverything } from '../../privacy/delete-everything.ts';
import { exportAccount } from '../../privacy/export-account.ts';
import { countAttempt, ownThrottles } from '../../sign-in/throttle.ts';
import type { HttpDeps } from '../common/deps.ts';
import { sessionOf } from './common/guard.ts';

/** Adds the routes by which people see and delete what the service keeps of them. */
export function addPrivacyRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get('/account/export', async (request, reply) => {
    const { accountId } = sessionOf(request);
    await countAttempt(deps.database, ownThrottles('export', accountId));
    return reply
      .header('content-disposition', 'attachment; filename="guise-export.jsonl"')
      .type('application/x-ndjson; charset=utf-8')
      .send(Readable.from(linesOf(deps, accountId)));
  });
  app.delete(
    '/account/files',
    { schema: { response: { 200: deletionSchema } } },
    async (request): Promise<DeletionBody> => {
      const { deletedAt, ...counts } = await deleteEverything(deps, sessionOf(request).accountId);
      return { deletedAt: deletedAt.toISOString(), ...counts };
    },
  );
}

async function* linesOf(deps: HttpDeps, accountId: string): AsyncGenerator<string> {
  for await (const record of exportAccount(deps.readDatabase, accountId)) yield `${JSON.stringify(record)}\n`;
}
