import type { CreatedInvitationBody, InvitationsBody } from '@guise/contract/account/operator.ts';
import { Alert, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Form } from '../../ui/form.tsx';
import { formatTime } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { ShowPages, usePages } from '../../ui/paging.tsx';
import { Failure } from '../../ui/failure.tsx';

export function Invitations() {
  const invitations = usePages<InvitationsBody>('operator/invitations');
  const [created, setCreated] = useState<CreatedInvitationBody | null>(null);
  const [error, setError] = useState<string | null>(null);
  const revoke = (id: string): void => {
    account('DELETE', `operator/invitations/${id}`).then(invitations.reload, (failure: Error) =>
      setError(failure.message),
    );
  };
  return (
    <Stack>
      <Failure>{error}</Failure>
      {created !== null && (
        <Alert role="status" title="Copy the link now, it is never shown again">
          <CopyText name="link" text={created.link} />
        </Alert>
      )}
      <Section title="Invite somebody">
        <Form
          submit="Make a link"
          isOneOff
          onSubmit={async ({ email }) => {
            setCreated(
              await account<CreatedInvitationBody>('POST', 'operator/invitations', email ? { email } : {}),
            );
            invitations.reload();
          }}
        >
          <TextInput
            label="Email (if empty, anybody who has the link can use it)"
            name="email"
            type="email"
          />
        </Form>
      </Section>
      <ShowPages of={invitations}>
        {(data) => (
          <DataTable
            name="Invitations"
            empty="Nobody is invited."
            head={['For', 'Plan', 'Until', 'Used', 'Action']}
            rows={data.invitations.map((each) => ({
              key: each.id,
              cells: [
                each.email ?? 'anybody',
                each.plan,
                formatTime(each.expiresAt),
                formatTime(each.usedAt),
                each.usedAt === null ? (
                  <ConfirmButton
                    verb="Revoke"
                    what={`the invitation for ${each.email ?? 'anybody'}`}
                    onConfirm={() => revoke(each.id)}
                  />
                ) : (
                  '-'
                ),
              ],
            }))}
          />
        )}
      </ShowPages>
    </Stack>
  );
}
