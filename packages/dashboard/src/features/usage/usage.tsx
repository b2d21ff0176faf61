import '@mantine/core/styles/SimpleGrid.css';
import type { CreditsBody, RatesBody, UsageBody } from '@guise/contract/account/own.ts';
import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useLoad } from '../../api/use-load.ts';
import { Bars } from '../../ui/bars.tsx';
import { formatTime } from '../../ui/format.ts';
import { ListWithDetail } from '../../ui/list-with-detail.tsx';
import { Page, Section, Show } from '../../ui/page.tsx';
import { usePages } from '../../ui/paging.tsx';
import { workflowColor, workflowName } from '../../workflows/workflows.ts';

/** Words for the kinds of movements. */
const MOVEMENTS: Record<CreditsBody['entries'][number]['kind'], string> = {
  grant: 'Given',
  hold: 'Set aside for a running task',
  capture: 'Paid for a task',
  release: 'Returned: the task was not charged',
  adjust: 'Changed by the operator',
};
/** Labels of the rate limits by bucket. */
const RATE_LABELS: Record<string, string> = {
  'ai-tasks': 'Task API: create requests per minute',
  'ai-tasks:read': 'Task API: read and cancel requests per minute',
  v1: 'v1: requests per minute',
  'v1:day': 'v1: requests per day',
};

/** Credits, how they were used, and rate limits. */
export function Usage() {
  const credits = usePages<CreditsBody>('credits?by=task');
  const usage = useLoad<UsageBody>('usage?days=30');
  const rates = useLoad<RatesBody>('rates', 10_000);
  return (
    <Page title="Usage">
      <Show of={credits}>
        {(data) => (
          <SimpleGrid cols={2}>
            <Section title="Available">
              <Text size="xl" fw={600}>
                {data.available}
              </Text>
            </Section>
            <Section title="Held by running tasks">
              <Text size="xl" fw={600}>
                {data.held}
              </Text>
            </Section>
          </SimpleGrid>
        )}
      </Show>
      <Section title="Credits used in the last 30 days">
        <Show of={usage}>
          {(data) =>
            data.rows.length === 0 ? <Text>Nothing was swapped yet.</Text> : <Bars {...barsOf(data)} />
          }
        </Show>
      </Section>
      <Section title="Rate limits">
        <Show of={rates}>
          {(data) => (
            <Stack>
              {data.rates.map(({ bucket, limit, used, resetSeconds }) => (
                <div key={bucket}>
                  <Text size="sm">
                    {RATE_LABELS[bucket] ?? bucket}:{' '}
                    {limit === null ? `${used} used, unlimited` : `${used} of ${limit}`}
                    {limit !== null && used > 0 && `; starts anew in ${spanOf(resetSeconds)}`}
                  </Text>
                  {limit !== null && (
                    <Progress value={(used / limit) * 100} aria-label={`${bucket} requests used`} />
                  )}
                </div>
              ))}
            </Stack>
          )}
        </Show>
      </Section>
      <Section title="Credits">
        <ListWithDetail
          name="Credits"
          empty="No credits were moved yet."
          of={credits}
          head={['Time', 'What', 'Credits', 'Available after']}
          openHead="For"
          rowsOf={({ entries }) =>
            entries.map((entry) => ({
              key: String(entry.id),
              cells: [
                formatTime(entry.createdAt),
                MOVEMENTS[entry.kind],
                changeOf(entry),
                entry.availableAfter,
              ],
              open:
                entry.taskId === null
                  ? entry.note
                  : { label: `Open task ${entry.taskId}`, text: 'Task', href: `/tasks/${entry.taskId}` },
            }))
          }
        />
      </Section>
    </Page>
  );
}

/** Returns the credits of each day as a bar, with a part for each workflow. */
function barsOf({ rows, from, to }: UsageBody) {
  const days = new Map(
    daysBetween(from, to).map((label) => [label, { label } as Record<string, string | number>]),
  );
  for (const { date, taskType, credits } of rows) {
    days.set(date, { ...days.get(date), [workflowName(taskType)]: credits });
  }
  const names = [...new Set(rows.map(({ taskType }) => workflowName(taskType)))];
  return { data: [...days.values()], series: names.map((name) => ({ name, color: workflowColor(name) })) };
}

/** Lists the days (UTC) between two days, both included, such as `2026-01-31`. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (const day = new Date(from); day <= new Date(to); day.setUTCDate(day.getUTCDate() + 1)) {
    days.push(day.toISOString().slice(0, 10));
  }
  return days;
}

/** Returns what a line of the ledger cost or brought, with its sign. */
function changeOf({ kind, availableChange, heldChange }: CreditsBody['entries'][number]): string {
  // The line of an ended task stands for its hold, too: it cost what was captured, or nothing.
  const change = kind === 'capture' ? heldChange : kind === 'release' ? 0 : availableChange;
  return change > 0 ? `+${change}` : String(change).replace('-', '\u2212');
}

function spanOf(seconds: number): string {
  if (seconds <= 120) return `${seconds} s`;
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
