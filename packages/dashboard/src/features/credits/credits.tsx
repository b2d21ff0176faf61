import type { CreditsBody, RatesBody, UsageBody } from '@guise/contract/account/own.ts';
import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { useLoad } from '../../api/use-load.ts';
import { formatTime } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { ListWithDetail } from '../../ui/list-with-detail.tsx';
import { Page, Section, Show } from '../../ui/page.tsx';
import { usePages } from '../../ui/paging.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';

const UsageChart = lazyPart(async () => (await import('./usage-chart.tsx')).UsageChart);

/** Labels of the rate limits by bucket. */
const RATE_LABELS: Record<string, string> = {
  'ai-tasks': 'Task API: create requests per minute',
  'ai-tasks:read': 'Task API, reading and cancelling, by the minute',
  v1: 'v1, by the minute',
  'v1:day': 'v1, by the day',
};

export function Credits() {
  const credits = usePages<CreditsBody>('credits');
  const usage = useLoad<UsageBody>('usage?days=30');
  const rates = useLoad<RatesBody>('rates', 10_000);
  return (
    <Page title="Credits and usage">
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
            data.rows.length === 0 ? (
              <Text>Nothing was swapped yet.</Text>
            ) : (
              <PartBoundary>
                <Suspense fallback={<div style={{ height: 260 }} />}>
                  <UsageChart {...data} />
                </Suspense>
              </PartBoundary>
            )
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
      <Section title="Every movement">
        <ListWithDetail
          name="Every movement"
          empty="No credits were moved yet."
          of={credits}
          head={['Time', 'Kind', 'Available', 'Held']}
          openHead="What for"
          rowsOf={({ entries }) =>
            entries.map((entry) => ({
              key: String(entry.id),
              cells: [
                formatTime(entry.createdAt),
                entry.kind,
                balance(entry.availableAfter, entry.availableChange),
                balance(entry.heldAfter, entry.heldChange),
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

/** Returns the balance after a movement as text, with the change in brackets. */
function balance(after: number, change: number): string {
  return change === 0 ? String(after) : `${after} (${change > 0 ? '+' : ''}${change})`;
}

function spanOf(seconds: number): string {
  if (seconds <= 120) return `${seconds} s`;
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
