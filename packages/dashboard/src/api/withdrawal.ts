import type { WithdrawableBody, WithdrawalBody } from '@guise/contract/ai-tasks/face-schemas.ts';
import { account } from './account.ts';

/** Reads what a withdrawal link is about. Needs no account. */
export function readWithdrawal(token: string): Promise<WithdrawableBody> {
  return account('POST', 'withdrawal/look', { token });
}

/** Withdraws the consent by a withdrawal link. Needs no account. */
export function withdrawByLink(token: string): Promise<WithdrawalBody> {
  return account('POST', 'withdrawal', { token });
}
