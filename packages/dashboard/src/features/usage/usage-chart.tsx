import '@mantine/charts/styles.css';
import type { UsageBody } from '@guise/contract/account/own.ts';
import { BarChart } from '@mantine/charts';
import { workflowColor, workflowName } from '../../workflows/workflows.ts';

/** Chart of credits per day, with a colour for each workflow. */
export function UsageChart({ rows, from, to }: UsageBody) {
  const names = [...new Set(rows.map(({ taskType }) => workflowName(taskType)))];
  const days = new Map(
    daysBetween(from, to).map((date) => [date, { date } as Record<string, string | number>]),
  );
  for (const { date, taskType, credits } of rows) {
    days.set(date, { ...days.get(date), [workflowName(taskType)]: credits });
  }
  return (
    <BarChart
      h={260}
      data={[...days.values()]}
      dataKey="date"
      type="stacked"
      withLegend
      maxBarWidth={64}
      yAxisProps={{ allowDecimals: false }}
      series={names.map((name) => ({ name, color: workflowColor(name) }))}
    />
  );
}

/** Lists the days (UTC) between two days, both included, such as `2026-01-31`. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (const day = new Date(from); day <= new Date(to); day.setUTCDate(day.getUTCDate() + 1)) {
    days.push(day.toISOString().slice(0, 10));
  }
  return days;
}
