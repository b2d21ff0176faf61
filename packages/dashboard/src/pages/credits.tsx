import type { CreditsBody, RatesBody, UsageBody } from '@guise/contract/account/own.ts';
import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useLoad } from '../api/use-load.ts';
import { Page, Section, Show } from '../parts/page.tsx';
import { Paging } from '../parts/paging.tsx';
import { Rows, when } from '../parts/rows.tsx';

const UsageChart = lazy(() =>
  import('../parts/usage-chart.tsx').then((part) => ({ default: part.UsageChart })),
);

const RATES: Record<string, string> = {
  'ai-tasks': 'Task API, creating',
  'ai-tasks:read': 'Task API, reading and cancelling',
  v1: 'v1, by the minute',
  'v1:day': 'v1, by the day',
};

export function Credits() {
  const [cursor, setCursor] = useState('');
  const credits = useLoad<CreditsBody>(
    `credits${cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`}`,
  );
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
              <Suspense fallback={<div style={{ height: 260 }} />}>
                <UsageChart {...data} />
              </Suspense>
            )
          }
        </Show>
      </Section>
      <Section title="Rate limits">
        <Show of={rates}>
          {(data) => (
            <Stack>
              {data.rates.map(({ bucket, windowSeconds, limit, used, resetSeconds }) => (
                <div key={bucket + windowSeconds}>
                  <Text size="sm">
                    {RATES[bucket] ?? bucket}:{' '}
                    {limit === null
                      ? `${used} in ${windowSeconds} s, unlimited`
                      : `${used} of ${limit} in ${windowSeconds} s; starts anew in ${resetSeconds} s`}
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
        <Show of={credits}>
          {(data) => (
            <>
              <Rows
                name="Every movement"
                empty="No credits were moved yet."
                head={['Time', 'Kind', 'Available', 'Held', 'Note']}
                rows={data.entries.map((entry) => ({
                  key: String(entry.id),
                  cells: [
                    when(entry.createdAt),
                    entry.kind,
                    balance(entry.availableAfter, entry.availableChange),
                    balance(entry.heldAfter, entry.heldChange),
                    entry.note,
                  ],
                }))}
              />
              <Paging cursor={cursor} next={data.next} onMove={setCursor} />
            </>
          )}
        </Show>
      </Section>
    </Page>
  );
}

/** What there was after the movement, and what it changed. */
function balance(after: number, change: number): string {
  return change === 0 ? String(after) : `${after} (${change > 0 ? '+' : ''}${change})`;
}
