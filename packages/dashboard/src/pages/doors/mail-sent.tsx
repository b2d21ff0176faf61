import { Alert } from '@mantine/core';

export function MailSent({ where }: { where: 'smtp' | 'outbox' | undefined }) {
  return (
    <Alert role="status" title="Look into your mail">
      We sent you a link; open it to go on.
      {where === 'outbox' &&
        ' This service has no mail server: the operator finds the mail in the folder outbox/ of its data directory.'}
    </Alert>
  );
}
