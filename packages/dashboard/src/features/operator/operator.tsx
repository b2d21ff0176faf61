import type { AuditBody, FailuresBody, OperatorAccountsBody } from '@guise/contract/account/operator.ts';
import { Button, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { OperatorAccount } from './operator-account.tsx';
import { OperatorOverview } from './operator-overview.tsx';
import { Invitations } from './invitations.tsx';
import { factsLine } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowPages, usePages } from '../../ui/paging.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatTime } from '../../ui/format.ts';
import { workflowName } from '../../workflows/workflows.ts';

export function Operator() {
  return (
    <Page title="Operator">
      <Tabs defaultValue="overview" keepMounted={false}>
        <Tabs.List mb="md" aria-label="Operator pages">
          {['Overview', 'Accounts', 'Invitations', 'Failures', 'Audit log'].map((name) => (
            <Tabs.Tab key={name} value={name.toLowerCase().replace(' ', '-')}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OperatorOverview />
        </Tabs.Panel>
        <Tabs.Panel value="accounts">
          <Accounts />
        </Tabs.Panel>
        <Tabs.Panel value="invitations">
          <Invitations />
        </Tabs.Panel>
        <Tabs.Panel value="failures">
          <Failures />
        </Tabs.Panel>
        <Tabs.Panel value="audit-log">
          <Audit />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Accounts() {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const accounts = usePages<OperatorAccountsBody>(`operator/accounts?q=${encodeURIComponent(search)}`);
  if (chosen !== null)
    return (
      <OperatorAccount
        id={chosen}
        onBack={() => {
          setChosen(null);
          accounts.reload();
        }}
      />
    );
  return (
    <>
      <TextInput
        label="Search by email or name"
        mb="md"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ShowPages of={accounts}>
        {(data) => (
          <DataTable
            name="Accounts"
            empty="No account matches."
            head={['Email', 'Plan', 'Credits', 'State', 'Created', 'Action']}
            rows={data.accounts.map((each) => ({
              key: each.id,
              cells: [
                each.email,
                each.plan,
                each.credits.available,
                each.suspended ? 'suspended' : each.emailVerified ? 'verified' : 'not verified',
                formatTime(each.createdAt),
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Open ${each.email}`}
                  onClick={() => setChosen(each.id)}
                >
                  Open
                </Button>,
              ],
            }))}
          />
        )}
      </ShowPages>
    </>
  );
}

function Failures() {
  const failures = usePages<FailuresBody>('operator/failures');
  return (
    <ShowPages of={failures}>
      {(data) => (
        <DataTable
          name="Failures"
          empty="No task has failed."
          head={['Time', 'Account', 'Workflow', 'Code', 'Message']}
          rows={data.failures.map((each) => ({
            key: each.taskId,
            cells: [
              formatTime(each.completedAt),
              each.email,
              workflowName(each.taskType),
              each.code,
              each.message,
            ],
          }))}
        />
      )}
    </ShowPages>
  );
}

function Audit() {
  const audit = usePages<AuditBody>('operator/audit');
  return (
    <ShowPages of={audit}>
      {(data) => (
        <DataTable
          name="Audit log"
          empty="No operator has changed anything yet."
          head={['Time', 'Operator', 'Action', 'Account', 'Details']}
          rows={data.entries.map((each) => ({
            key: String(each.id),
            cells: [
              formatTime(each.createdAt),
              each.operatorEmail,
              each.action,
              each.accountEmail ?? '-',
              <span className="anywhere">{factsLine(each.details)}</span>,
            ],
          }))}
        />
      )}
    </ShowPages>
  );
}
