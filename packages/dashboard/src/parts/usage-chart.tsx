import '@mantine/charts/styles.css';
import type { UsageBody } from '@guise/contract/account/own.ts';
import { BarChart } from '@mantine/charts';
import { workflowName } from './rows.tsx';

const COLORS = ['pine.7', 'blue.6', 'violet.6', 'orange.6', 'gray.6'];

/** Credits per day, one colour a workflow. */
export function UsageChart({ rows }: { rows: UsageBody['rows'] }) {
  const names = [...new Set(rows.map(({ taskType }) => workflowName(taskType)))];
  const days = new Map<string, Record<string, string | number>>();
  for (const { date, taskType, credits } of rows) {
    days.set(date, { ...days.get(date), date, [workflowName(taskType)]: credits });
  }
  return (
    <BarChart
      h={260}
      data={[...days.values()]}
      dataKey="date"
      type="stacked"
      withLegend
      maxBarWidth={64}
      series={names.map((name, index) => ({ name, color: COLORS[index]! }))}
    />
  );
}
