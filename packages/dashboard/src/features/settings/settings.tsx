import type { DeletionBody } from '@guise/contract/account/own.ts';
import type { SessionsBody } from '@guise/contract/account/sign-in.ts';
import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { CurrentPassword, NewPassword } from '../../session/password.tsx';
import { leave, useSession } from '../../session/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Form } from '../../ui/form.tsx';
import { formatTime } from '../../ui/format.ts';
import { Page, Section, Show } from '../../ui/page.tsx';

export function Settings() {
  const { me, reload } = useSession();
  const sessions = useLoad<SessionsBody>('auth/sessions');
  const [note, setNote] = useState<string | null>(null);
  const end = (path: string): void => {
    account('DELETE', path).then(sessions.reload, (failure: Error) => setNote(failure.message));
  };
  if (me == null) return null;
  return (
    <Page title="Settings">
      <Text>
        {me.email}, plan {me.plan}
      </Text>
      {note !== null && <Alert role="status">{note}</Alert>}
      <Section title={me.hasPassword ? 'Change the password' : 'Set a password'}>
        <Form
          submit={me.hasPassword ? 'Change the password' : 'Set the password'}
          isOneOff
          onSubmit={async (fields) => {
            await account('POST', 'auth/change-password', fields);
            setNote('The password is set. Other sessions have ended.');
            sessions.reload();
            await reload();
          }}
        >
          {me.hasPassword && <CurrentPassword label="Current password" name="currentPassword" />}
          <NewPassword />
        </Form>
      </Section>
      <Section title="Change the email address">
        <Form
          submit="Send a link to the new address"
          isOneOff
          onSubmit={async (fields) => {
            await account('POST', 'auth/change-email', fields);
            setNote('Open the link we sent to the new address; until then nothing changes.');
          }}
        >
          <TextInput label="New email" name="newEmail" type="email" required />
          {me.hasPassword && <CurrentPassword />}
        </Form>
      </Section>
      <Section title="Sessions">
        <Show of={sessions}>
          {(data) => (
            <DataTable
              name="Sessions"
              empty="There is none."
              head={['Browser', 'Address', 'Last seen', 'Action']}
              rows={data.sessions.map((session) => ({
                key: session.id,
                cells: [
                  browserName(session.userAgent),
                  session.ipAddress ?? '-',
                  formatTime(session.lastSeenAt),
                  session.current ? (
                    'This browser'
                  ) : (
                    <Button size="xs" variant="default" onClick={() => end(`auth/sessions/${session.id}`)}>
                      End
                    </Button>
                  ),
                ],
              }))}
            />
          )}
        </Show>
        <Button mt="sm" variant="default" style={{ alignSelf: 'start' }} onClick={() => end('auth/sessions')}>
          End all other sessions
        </Button>
      </Section>
      <Section title="Your data">
        <Text mb="xs">
          The export is one file with all that this service knows about your account, but without photos and
          results. Each line is a JSON object.
        </Text>
        <Text mb="sm">
          Deleting all files cancels unfinished swaps, and deletes all photos, results and saved faces. This
          cannot be undone. The account and the list of its swaps stay.
        </Text>
        <Group>
          <Button component="a" href="/account/export" download variant="default">
            Export my data
          </Button>
          <ConfirmButton
            verb="Delete all my files"
            size="sm"
            onConfirm={() => {
              account<DeletionBody>('DELETE', 'files').then(
                ({ deletedFiles, deletedFaces, cancelledTasks }) =>
                  setNote(
                    `Deleted ${deletedFiles} files and ${deletedFaces} saved faces, and cancelled ${cancelledTasks} swaps.`,
                  ),
                (failure: Error) => setNote(failure.message),
              );
            }}
          />
        </Group>
      </Section>
      <Section title="Delete the account">
        <Form
          submit="Delete my account for good"
          isDanger
          onSubmit={async (fields) => {
            await account('DELETE', 'me', fields);
            leave();
          }}
        >
          <Text>This also deletes your keys, tasks and files. It cannot be undone.</Text>
          <TextInput label="Type your email address to confirm" name="email" required autoComplete="off" />
          {me.hasPassword && <CurrentPassword />}
        </Form>
      </Section>
    </Page>
  );
}

/** Returns the name of a browser and its system. For an unknown program, returns its user agent. */
function browserName(userAgent: string | null): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((each) => userAgent?.includes(each));
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(userAgent ?? '')?.[0];
  if (browser === undefined) return userAgent ?? '-';
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser;
  return system === undefined ? name : `${name} on ${system}`;
}
