import { createApiKey, listApiKeys } from '../accounts/api-keys.ts';
import { createAccount } from '../accounts/create-account.ts';
import { findOwner } from '../accounts/find-account.ts';
import type { Account } from '../accounts/account.ts';
import type { Database } from '../db/database.ts';

const OWNER_CREDITS = 1000;

/** The account of whoever runs this installation; the first start makes it. Enterprise: nobody is to be limited at home. */
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
  /** Whether a person is reading. Keys are shown to people only: whatever else holds our output keeps it. */
  readonly isTerminal: boolean;
}

/** What to do next, for an owner who has no key yet: on a terminal with a key, shown this once. null: they have one. */
export async function welcome(
  db: Database,
  { owner, publicUrl, isTerminal }: Welcome,
): Promise<string | null> {
  if ((await listApiKeys(db, owner.id)).length > 0) return null;
  if (!isTerminal) {
    return `Your account is ${owner.email}. Make an API key: npx guise account key --email ${owner.email}\n`;
  }
  const { secret } = await createApiKey(db, owner.id, 'first start');
  return `
Your account is ${owner.email}, with ${owner.creditsAvailable} credits. Your API key is shown this once:

  ${secret}

A first swap, with two photos of your own:

  curl -s ${publicUrl}/api/ai-tasks -H "Authorization: Bearer ${secret}" \\
    -F sourceImage=@face.jpg -F targetImage=@scene.jpg

It answers a taskId. Ask for it until its status is COMPLETED, then fetch the link it gives:

  curl -s "${publicUrl}/api/ai-tasks?taskId=TASK_ID" -H "Authorization: Bearer ${secret}"
  curl -o swapped.jpg "URL"

No photo at hand? npx guise demo
`;
}
