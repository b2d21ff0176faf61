import '@mantine/core/styles/SimpleGrid.css';
import type { OperatorAccountDetailBody } from '@guise/contract/account/operator.ts';
import { PLANS } from '@guise/contract/plans.ts';
import { Button, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { Form } from '../../ui/form.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Section, Show } from '../../ui/page.tsx';

/** Shows an account to an operator, who can change it. Every change is written to the audit log. */
export function Account({ id, onBack }: { id: string; onBack: () => void }) {
  const detail = useLoad<OperatorAccountDetailBody>(`operator/accounts/${id}`);
  const change = async (what: string, body?: object): Promise<void> => {
    await account('POST', `operator/accounts/${id}/${what}`, body);
    detail.reload();
  };
  return (
    <Stack>
      <Button variant="default" onClick={onBack} style={{ alignSelf: 'start' }}>
        All accounts
      </Button>
      <Show of={detail}>
        {(data) => (
          <>
            <Text role="status">
              {data.email}: {data.plan}, {data.credits.available} credits, {data.credits.held} held,{' '}
              {data.activeKeys} keys, {data.tasks.completed} tasks completed, {data.tasks.failed} failed,{' '}
              {formatBytes(data.storage.bytes)} stored
            </Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Section title="Plan">
                <Form submit="Set the plan" onSubmit={({ plan }) => change('plan', { plan })}>
                  <NativeSelect
                    key={data.plan}
                    label="Plan"
                    name="plan"
                    defaultValue={data.plan}
                    data={[...PLANS]}
                  />
                </Form>
              </Section>
              <Section title="Credits">
                <Form
                  submit="Change the credits"
                  isOneOff
                  onSubmit={({ credits, note }) =>
                    change('credits', { credits: Number(credits), ...(note ? { note } : {}) })
                  }
                >
                  <TextInput
                    label="Credits to add (negative: remove)"
                    name="credits"
                    type="number"
                    required
                  />
                  <TextInput label="Note" name="note" maxLength={500} />
                </Form>
              </Section>
              <Section title={data.suspended ? 'Suspended' : 'Active'}>
                <Form
                  submit={data.suspended ? 'Reactivate' : 'Suspend'}
                  needsConfirmation={!data.suspended}
                  onSubmit={() => change('suspend', { suspended: !data.suspended })}
                >
                  <Text>
                    {data.suspended
                      ? 'Sign-in and all keys are blocked.'
                      : 'Suspending ends its sessions and stops its keys.'}
                  </Text>
                </Form>
              </Section>
              {!data.emailVerified && (
                <Section title="Not verified">
                  <Form submit="Verify" onSubmit={() => change('verify')}>
                    <Text>Verifying grants the starting credits.</Text>
                  </Form>
                </Section>
              )}
            </SimpleGrid>
          </>
        )}
      </Show>
    </Stack>
  );
}
