import type { SignInConfig } from '@guise/contract/account/sign-in.ts';
import { Alert } from '@mantine/core';
import { useLoad } from '../../api/use-load.ts';

/** @param props.isSure to an address that may be unknown nothing is sent, and nobody is told which are known. */
export function MailSent({ isSure = false }: { isSure?: boolean }) {
  const config = useLoad<SignInConfig>('auth/config');
  return (
    <Alert role="status" title="Look into your mail">
      {isSure ? 'We sent you a link' : 'If this address has an account here, we sent it a link'}; open it to
      go on.
      {config.data?.mail === 'outbox' &&
        ' This service has no mail server: the operator finds the mail in the folder outbox/ of its data directory.'}
    </Alert>
  );
}
