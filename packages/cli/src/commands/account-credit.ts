import { COMMAND_LINE } from '@guise/server/operator/audit.ts';
import { changeCredits } from '@guise/server/operator/change-account.ts';
import { printResult } from '../console/print.ts';
import { requireAccount, withDatabase } from '../setup/with-database.ts';

export async function creditAccountCommand(options: {
  readonly email: string;
  readonly amount: number;
  readonly note: string;
  readonly json?: true;
}): Promise<void> {
  if (options.amount === 0) throw new Error('The amount must not be 0.');
  const credited = await withDatabase(async (db) => {
    const account = await requireAccount(db, options.email);
    const change = { credits: options.amount, note: options.note };
    const balance = await changeCredits(db, COMMAND_LINE, account.id, change);
    return {
      accountId: account.id,
      email: account.email,
      credits: { available: balance.available, held: balance.held },
    };
  });
  printResult(options, credited, [
    `${credited.email} has ${credited.credits.available} credits available and ${credited.credits.held} held.`,
  ]);
}
