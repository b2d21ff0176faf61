import type { AuditBody } from '@guise/contract/account/operator.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { factsLine } from '../../ui/facts.tsx';
import { formatTime } from '../../ui/format.ts';
import { ShowPages, usePages } from '../../ui/paging.tsx';

/** Lists changes by operators and by commands, newest first. */
export function AuditLog() {
  const audit = usePages<AuditBody>('operator/audit');
  return (
    <ShowPages of={audit}>
      {(data) => (
        <DataTable
          name="Audit log"
          empty="Nothing was changed yet."
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
