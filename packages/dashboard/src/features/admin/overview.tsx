import '@mantine/core/styles/SimpleGrid.css';
import type { OverviewBody, WorkersBody } from '@guise/contract/account/operator.ts';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useLoad } from '../../api/use-load.ts';
import { Bars } from '../../ui/bars.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatBytes, formatSpan, formatTime } from '../../ui/format.ts';
import { Section, Show } from '../../ui/page.tsx';
import { ShowPages, usePages } from '../../ui/paging.tsx';

/** How tasks end, with the colours of the statuses. */
const ENDINGS = [
  { name: 'completed', color: 'pine.6' },
  { name: 'failed', color: 'red.6' },
  { name: 'cancelled', color: 'gray.5' },
] as const;

/** Shows queue, workers, storage, and current prices and limits. Reloads every ten seconds. */
export function Overview() {
  const overview = useLoad<OverviewBody>('operator/overview', 10_000);
  return (
    <Show of={overview}>
      {({ queue, workers, lastDay, storage, accounts, prices, plans, settings }) => (
        <Stack>
          <Section title="Tasks that ended in the last 24 hours">
            <Text mb="sm">{endedLine(lastDay)}</Text>
            <Bars
              data={lastDay.map(({ hour, ...counts }) => ({ label: hourOf(hour), ...counts }))}
              series={ENDINGS}
            />
          </Section>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Section title="Accounts">
              <Text>
                {accounts.total} in all, {accounts.unverified} not verified, {accounts.suspended} suspended
              </Text>
            </Section>
            <Section title="Storage">
              <Text>
                {formatBytes(storage.inputs.bytes)} inputs, {formatBytes(storage.outputs.bytes)} outputs,{' '}
                {formatBytes(storage.databaseBytes)} database
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
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {settingsByGroup({ prices, plans, settings }).map(([title, values]) => (
              <Section key={title} title={title}>
                <Facts name={title} of={values} />
              </Section>
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </Show>
  );
}

function endedLine(hours: OverviewBody['lastDay']): string {
  return ENDINGS.map(({ name }) => `${hours.reduce((sum, hour) => sum + hour[name], 0)} ${name}`).join(', ');
}

/** Returns the hour of a time on the clock of the person who looks, such as `14:00`. */
function hourOf(time: string): string {
  return new Date(time).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

/** Groups the prices, limits and settings in force, each group with its title. */
function settingsByGroup({ prices, plans, settings }: Pick<OverviewBody, 'prices' | 'plans' | 'settings'>) {
  const { signUp, mail, startingCredits, startingPlan } = settings;
  const groups: [title: string, values: Record<string, unknown>][] = [
    ['Prices in credits', prices],
    ...Object.entries(plans).map(
      ([plan, limits]) =>
        [`Limits of the plan ${plan}`, unlimited(limits)] as [string, Record<string, unknown>],
    ),
    ['Sign-up and mail', { signUp, mail, startingCredits, startingPlan }],
    [
      'Files and tasks',
      {
        publicAddress: settings.publicUrl,
        longestTask: formatSpan(settings.taskDeadlineSeconds),
        uploadsStayAfterTheTask: formatSpan(settings.inputRetentionSeconds),
        resultsStay: formatSpan(settings.outputLifetimeSeconds),
        largestImage: `${settings.maxImagePixels / 1e6} megapixels`,
      },
    ],
  ];
  return groups;
}

function unlimited(limits: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, value ?? 'unlimited']));
}

function Workers() {
  const workers = usePages<WorkersBody>('operator/workers', 10_000);
  return (
    <ShowPages of={workers}>
      {(data) => (
        <DataTable
          name="Workers"
          empty="No worker runs: tasks wait. Start one, see docs/guide/several-machines.md."
          head={['Host', 'Slots', 'Load', 'Memory', 'Since', 'Networks']}
          rows={data.workers.map((each) => ({
            key: each.id,
            cells: [
              each.host,
              each.slots,
              `${Math.round(each.load * 100)} %`,
              formatBytes(each.memoryBytes),
              formatTime(each.startedAt),
              each.networks.map(({ id, providers }) => `${id} (${providers.join(', ')})`).join(', ') || '-',
            ],
          }))}
        />
      )}
    </ShowPages>
  );
}
