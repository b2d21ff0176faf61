import type { OverviewBody, WorkersBody } from '@guise/contract/account/operator.ts';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useLoad } from '../../api/use-load.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { words } from '../../ui/facts.tsx';
import { formatMegabytes, formatTime } from '../../ui/format.ts';
import { Section, Show } from '../../ui/page.tsx';
import { ShowPages, usePages } from '../../ui/paging.tsx';

/** Shows queue, workers, storage, and current prices and limits. Reloads every ten seconds. */
export function OperatorOverview() {
  const overview = useLoad<OverviewBody>('operator/overview', 10_000);
  return (
    <Show of={overview}>
      {({ queue, workers, lastDay, storage, accounts, prices, plans, settings }) => (
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <Section title="Last 24 hours">
              <Text>
                {lastDay.completed} completed, {lastDay.failed} failed, {lastDay.cancelled} cancelled
              </Text>
            </Section>
            <Section title="Accounts">
              <Text>
                {accounts.total} in all, {accounts.unverified} not verified, {accounts.suspended} suspended
              </Text>
            </Section>
            <Section title="Storage">
              <Text>
                {formatMegabytes(storage.inputs.bytes)} inputs, {formatMegabytes(storage.outputs.bytes)}{' '}
                outputs, {formatMegabytes(storage.databaseBytes)} database
              </Text>
            </Section>
          </SimpleGrid>
          <Section title="Queue">
            <DataTable
              name="Queue"
              empty="The queue is empty."
              head={['Lane', 'Waiting', 'Oldest', 'Running']}
              rows={queue.map((lane) => ({
                key: lane.lane,
                cells: [lane.lane, lane.pending, `${Math.round(lane.oldestSeconds)} s`, lane.processing],
              }))}
            />
          </Section>
          <Section title="Workers">
            <Text mb="sm">
              {workers.total} in all, {workers.slots} engine slots
            </Text>
            <Workers />
          </Section>
          <Section title="Prices, limits and settings in force">
            <DataTable
              name="Settings"
              empty="There is none."
              head={['Name', 'Value']}
              rows={Object.entries({ prices, ...plans, settings }).flatMap(([of, values]) =>
                Object.entries(values).map(([name, value]) => ({
                  key: of + name,
                  cells: [`${of}: ${words(name)}`, value === null ? 'unlimited' : String(value)],
                })),
              )}
            />
          </Section>
        </Stack>
      )}
    </Show>
  );
}

function Workers() {
  const workers = usePages<WorkersBody>('operator/workers', 10_000);
  return (
    <ShowPages of={workers}>
      {(data) => (
        <DataTable
          name="Workers"
          empty="No worker runs: tasks wait. Start one, see docs/guide/several-machines.md."
          head={['Host', 'Slots', 'Load', 'Memory', 'Since']}
          rows={data.workers.map((each) => ({
            key: each.id,
            cells: [
              each.host,
              each.slots,
              `${Math.round(each.load * 100)} %`,
              formatMegabytes(each.memoryBytes),
              formatTime(each.startedAt),
            ],
          }))}
        />
      )}
    </ShowPages>
  );
}
