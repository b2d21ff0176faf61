import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PUBLIC_VERIFY_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { Verification } from '@guise/contract/ai-tasks/verification.ts';
import { discardForm, type ReadForm } from '../../intake/read-form.ts';
import { normaliseAddress } from '../../net/normalise-address.ts';
import { countAttempt, publicVerifyThrottles } from '../../sign-in/throttle.ts';
import type { HttpDeps } from '../common/deps.ts';
import { requireNoQuery } from '../common/query.ts';
import { checkFile, runVerification } from '../common/run-verification.ts';
import { requireKnownVersion } from '../plugins/admission.ts';
import { readUpload } from '../plugins/read-upload.ts';
import { ANONYMOUS } from '../plugins/with-upload.ts';
import { REFUSALS } from './route-options.ts';

/**
 * Adds `POST /verify`, which needs no account, unless the operator turned it off. It answers as
 * `POST /api/ai-tasks/verify` does.
 */
export function addPublicVerification(app: FastifyInstance, deps: HttpDeps): void {
  if (!deps.config.publicVerify) return;
  app.post(
    PUBLIC_VERIFY_FORM.path,
    {
      // The request is counted before a byte of its body is read.
      onRequest: async (request) => {
        await countAttempt(deps.database, publicVerifyThrottles(addressOf(request)));
        requireKnownVersion(request);
      },
      schema: REFUSALS,
    },
    postPublicVerification(deps),
  );
}

/** Verifies a file. It is read in the scratch folder and deleted before the answer. */
function postPublicVerification(deps: HttpDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    requireNoQuery(request);
    const form = await readUpload(deps, PUBLIC_VERIFY_FORM, ANONYMOUS, request, reply);
    return reply.send(await verification(deps, form, reply));
  };
}

async function verification(deps: HttpDeps, form: ReadForm, reply: FastifyReply): Promise<Verification> {
  try {
    const file = await checkFile(form, PUBLIC_VERIFY_FORM);
    return await runVerification(deps, file, ANONYMOUS, reply);
  } finally {
    await discardForm(form);
  }
}

/** Returns the client's address; IPv4-mapped IPv6 becomes IPv4. */
function addressOf({ ip }: FastifyRequest): string {
  return normaliseAddress(ip) ?? ip;
}
