import type { SignInConfig } from '@guise/contract/account/sign-in.ts';
import { Alert } from '@mantine/core';
import { useLoad } from '../../api/use-load.ts';

interface MailSentProps {
  /**
   * Whether a mail was certainly sent. Unknown addresses get no mail, and the page does not reveal
   * which addresses are known.
   */
  readonly isSure?: boolean;
  /** Whether earlier links also work. If there are already enough of them, no new one is sent. */
  readonly isOneOfSeveral?: boolean;
}

export function MailSent({ isSure = false, isOneOfSeveral = false }: MailSentProps) {
  const config = useLoad<SignInConfig>('auth/config');
  return (
    <Alert role="status" title="Check your email">
      {isSure ? 'We sent you a link' : 'If this address has an account here, we sent it a link'}; open it to
      go on.
      {isOneOfSeveral &&
        ' If no new mail comes, use one of the last hour: up to three links are valid at the same time.'}
      {config.data?.mail === 'outbox' &&
        ' This service has no mail server: the operator finds the mail in the folder outbox/ of its data directory.'}
    </Alert>
  );
}
