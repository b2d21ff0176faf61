import { createApiKey, listApiKeys } from '../accounts/api-keys.ts';
import { createAccount } from '../accounts/create-account.ts';
import { findOwner } from '../accounts/find-account.ts';
import type { Account } from '../accounts/account.ts';
import { createEmailLink } from '../sign-in/email-links.ts';
import { findPassword } from '../sign-in/passwords.ts';
import { INSTALLATION } from '../config/installation.ts';
import type { Database } from '../db/database.ts';

/** Credits that the owner of a new installation gets. */
const OWNER_CREDITS = 1000;

/** Command that makes a link for signing in. */
const LINK = `${INSTALLATION.command} account link`;

/** Line that says where the commands work: elsewhere, npx would fetch a stranger's package. */
const WHERE =
  INSTALLATION.commandFolder === null ? '' : `Run these commands in ${INSTALLATION.commandFolder}.\n`;

/**
 * Returns the account of the person who runs this installation. The first start creates it, on the
 * enterprise plan, because owners should have no limits on their own machine.
 */
export async function findOrCreateOwner(db: Database, email: string): Promise<Account> {
  return (
    (await findOwner(db)) ??
    (await createAccount(db, {
      email,
      name: 'Owner',
      role: 'owner',
      plan: 'enterprise',
      emailVerified: true,
      startingCredits: OWNER_CREDITS,
    }))
  );
}

export interface Welcome {
  readonly owner: Account;
  readonly publicUrl: string;
  /**
   * Whether a person reads the output. Keys are only written to a terminal, because any other
   * output may be stored.
   */
  readonly isTerminal: boolean;
}

/**
 * Writes the next steps for an owner who has no key or no password. On a terminal, the text
 * contains a link that signs in to the dashboard, and a new key if there is none. An owner who has
 * both reads how to sign in.
 */
export async function welcome(db: Database, start: Welcome): Promise<string> {
  const { owner, isTerminal, publicUrl } = start;
  const hasKey = (await listApiKeys(db, owner.id)).length > 0;
  const hasPassword = (await findPassword(db, { accountId: owner.id }))?.hash != null;
  if (hasKey && hasPassword)
    return `Sign in at ${publicUrl} as ${owner.email}. A link instead of the password: ${LINK} --email ${owner.email}\n`;
  if (!isTerminal) {
    const link = `Sign in to the dashboard: ${LINK} --email ${owner.email}\n`;
    const key = `Make an API key: ${INSTALLATION.command} account key --email ${owner.email}\n`;
    return `Your account is ${owner.email}.\n${hasPassword ? '' : link}${hasKey ? '' : key}${WHERE}`;
  }
  const parts: string[] = [];
  if (!hasPassword) parts.push(await linkText(db, start));
  if (!hasKey) parts.push(await keyText(db, start));
  return parts.join('');
}

async function linkText(db: Database, { owner, publicUrl }: Welcome): Promise<string> {
  const link = await createEmailLink(db.pool, publicUrl, {
    accountId: owner.id,
    purpose: 'sign-in',
    email: owner.email,
  });
  return `
Your account is ${owner.email}, with ${owner.creditsAvailable} credits. Open the dashboard; this link signs you in once:

  ${link}
`;
}

async function keyText(db: Database, { owner, publicUrl }: Welcome): Promise<string> {
  const { secret } = await createApiKey(db.pool, owner.id, 'first start');
  return `
Your API key is shown this once:

  ${secret}

A first swap, with two photos of your own:

  curl -s ${publicUrl}/api/ai-tasks -H "Authorization: Bearer ${secret}" \\
    -F sourceImage=@face.jpg -F targetImage=@scene.jpg

It answers a taskId. Ask for it until its status is COMPLETED, then fetch the link it gives:

  curl -s "${publicUrl}/api/ai-tasks?taskId=TASK_ID" -H "Authorization: Bearer ${secret}"
  curl -o swapped.jpg "URL"

No photo at hand? ${INSTALLATION.command} demo
${WHERE}`;
}
