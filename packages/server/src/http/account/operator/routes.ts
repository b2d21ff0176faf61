import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from '../../common/deps.ts';
import { addOperatorAccountRoutes } from './account-routes.ts';
import { addOperatorBlocklistRoutes } from './blocklist-routes.ts';
import { addOperatorInvitationRoutes } from './invitation-routes.ts';
import { onlyOperators } from './operator.ts';
import { addOperatorReportRoutes } from './report-routes.ts';

/**
 * Adds the routes of `/account/operator`, for owners who are signed in. Each change and its entry
 * in the audit log are made in one transaction.
 */
export function addOperatorRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.decorateRequest('operator', null);
  app.register((scope, _options, done) => {
    scope.addHook('onRequest', onlyOperators(deps));
    addOperatorReportRoutes(scope, deps);
    addOperatorAccountRoutes(scope, deps);
    addOperatorInvitationRoutes(scope, deps);
    addOperatorBlocklistRoutes(scope, deps);
    done();
  });
}
