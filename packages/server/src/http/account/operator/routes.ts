import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from '../../common/deps.ts';
import { signedIn } from '../common/guard.ts';
import { addOperatorAccountRoutes } from './account-routes.ts';
import { addOperatorInvitationRoutes } from './invitation-routes.ts';
import { onlyOperators } from './operator.ts';
import { addOperatorReportRoutes } from './report-routes.ts';

/**
 * All of `/account/operator`, for owners; each change is written to the audit log together with
 * itself.
 */
export function addOperatorRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.decorateRequest('operator', null);
  app.register((scope, _options, done) => {
    scope.addHook('onRequest', signedIn(deps));
    scope.addHook('onRequest', onlyOperators(deps));
    addOperatorReportRoutes(scope, deps);
    addOperatorAccountRoutes(scope, deps);
    addOperatorInvitationRoutes(scope, deps);
    done();
  });
}
