import { adjustCredits } from '@guise/server/credits/adjust-credits.ts';
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
    const balance = await adjustCredits(db, {
      accountId: account.id,
      credits: options.amount,
      note: options.note || 'by the operator',
    });
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
