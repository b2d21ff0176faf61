import { TabbedPage } from '../../ui/tabbed-page.tsx';
import { Accounts } from './accounts.tsx';
import { AuditLog } from './audit-log.tsx';
import { Blocklist } from './blocklist.tsx';
import { Failures } from './failures.tsx';
import { Invitations } from './invitations.tsx';
import { Overview } from './overview.tsx';

/** The operator's pages. */
export function Admin({ tab }: { tab: string }) {
  return (
    <TabbedPage
      title="Admin"
      path="/admin"
      tab={tab}
      tabs={[
        { id: 'overview', name: 'Overview', content: () => <Overview /> },
        { id: 'accounts', name: 'Accounts', content: () => <Accounts /> },
        { id: 'invitations', name: 'Invitations', content: () => <Invitations /> },
        { id: 'blocklist', name: 'Blocklist', content: () => <Blocklist /> },
        { id: 'failures', name: 'Failures', content: () => <Failures /> },
        { id: 'audit-log', name: 'Audit log', content: () => <AuditLog /> },
      ]}
    />
  );
}
