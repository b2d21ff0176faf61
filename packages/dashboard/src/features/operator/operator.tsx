import { Tabs } from '@mantine/core';
import { Page } from '../../ui/page.tsx';
import { Accounts } from './accounts.tsx';
import { AuditLog } from './audit-log.tsx';
import { Failures } from './failures.tsx';
import { Invitations } from './invitations.tsx';
import { OperatorOverview } from './operator-overview.tsx';

/** Shows the operator's pages as tabs. */
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
          <AuditLog />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
