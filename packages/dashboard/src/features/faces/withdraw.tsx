import { GuiseError } from '@guise/client';
import type { WithdrawableBody, WithdrawalBody } from '@guise/contract/ai-tasks/face-schemas.ts';
import { Alert, List, Text } from '@mantine/core';
import '@mantine/core/styles/List.css';
import { useCallback, useState } from 'react';
import { readWithdrawal, withdrawByLink } from '../../api/withdrawal.ts';
import { useLoaded } from '../../api/use-load.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Form } from '../../ui/form.tsx';
import { formatTime } from '../../ui/format.ts';
import { secretOfLink } from '../../ui/navigation.ts';
import { Page, Section, Show } from '../../ui/page.tsx';
import { VisitorFrame } from '../../ui/visitor-frame.tsx';
import { withdrawalOutcome } from './withdrawal-outcome.ts';
import { Failure } from '../../ui/failure.tsx';

/** The page on which a person withdraws the consent to use a saved face. Needs no account. */
export function Withdraw() {
  const [token] = useState(() => secretOfLink('token'));
  return (
    <VisitorFrame>
      <Page title="Withdraw your consent">
        {token === null ? (
          <Text>This link is incomplete. Open it again from the message that you got.</Text>
        ) : (
          <WithdrawByLink token={token} />
        )}
      </Page>
    </VisitorFrame>
  );
}

function WithdrawByLink({ token }: { token: string }) {
  const look = useLoaded(useCallback(() => readWithdrawal(token), [token]));
  if (look.error instanceof GuiseError && look.error.status === 404)
    return (
      <Failure title="This link leads to no saved face">
        The face may have been deleted, or the link is incomplete. Open it again from the message that you
        got.
      </Failure>
    );
  return <Show of={look}>{(face) => <Consent face={face} token={token} />}</Show>;
}

function Consent({ face, token }: { face: WithdrawableBody; token: string }) {
  const [done, setDone] = useState<WithdrawalBody | null>(null);
  const withdrawnAt = done?.withdrawnAt ?? face.withdrawnAt;
  return (
    <>
      <Text>
        Somebody saved photos of your face on this service, to put the face into pictures and videos, and
        wrote down that you agreed.
      </Text>
      <Section title="What was saved">
        <DataTable
          name="What was saved"
          empty=""
          head={['What', 'As it was saved']}
          rows={[
            ['Name', face.name],
            ['Consent', face.consent],
            ['Date', formatTime(face.createdAt)],
          ].map(([name, value]) => ({ key: name!, cells: [name, value] }))}
        />
      </Section>
      {withdrawnAt === null ? (
        <Section title="If you withdraw your consent">
          <Form
            submit="Withdraw my consent"
            needsConfirmation
            onSubmit={async () => setDone(await withdrawByLink(token))}
          >
            <List>
              <List.Item>The saved photos of your face are deleted.</List.Item>
              <List.Item>Swaps with your face that are not finished stop.</List.Item>
              <List.Item>
                Results with your face are deleted here. Copies that somebody downloaded are not.
              </List.Item>
              <List.Item>Nobody can use the saved face any more.</List.Item>
            </List>
            <Text>This cannot be undone.</Text>
          </Form>
        </Section>
      ) : (
        <Alert role="status" title={`Your consent was withdrawn on ${formatTime(withdrawnAt)}`}>
          {done === null
            ? 'The photos are deleted, and nobody can use the saved face any more.'
            : `${withdrawalOutcome(done)} Nobody can use the saved face any more.`}
        </Alert>
      )}
    </>
  );
}
