import type { FailuresBody } from '@guise/contract/account/operator.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatTime } from '../../ui/format.ts';
import { ShowPages, usePages } from '../../ui/paging.tsx';
import { workflowName } from '../../workflows/workflows.ts';

/** Lists failed tasks of all accounts, newest first. */
export function Failures() {
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
