import { PLANS, type Plan } from '@guise/contract/plans.ts';
import { loadConfigBesideService } from '@guise/server/config/served-url.ts';
import { COMMAND_LINE } from '@guise/server/operator/audit.ts';
import { invite } from '@guise/server/operator/invite.ts';
import { printResult } from '../console/print.ts';
import { withDatabase } from '../setup/with-database.ts';

export async function accountInviteCommand(options: {
  readonly email?: string;
  readonly plan?: string;
  readonly json?: true;
}): Promise<void> {
  const { publicUrl, startingPlan } = await loadConfigBesideService();
  const plan = options.plan ?? startingPlan;
  if (!(PLANS as readonly string[]).includes(plan)) {
    throw new Error(`The plan must be one of ${PLANS.join(', ')}.`);
  }
  const { invitation, link } = await withDatabase((db) =>
    invite(db, COMMAND_LINE, publicUrl, { email: options.email ?? null, plan: plan as Plan }),
  );
  const { id, email } = invitation;
  const expiresAt = invitation.expiresAt.toISOString();
  printResult(options, { invitationId: id, email, plan, expiresAt, link }, [
    `This link creates one account on the ${plan} plan${email === null ? '' : ` for ${email}`}. It works once, until ${expiresAt}:`,
    link,
  ]);
}
