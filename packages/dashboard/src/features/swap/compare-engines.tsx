import { isTerminal } from '@guise/contract/task.ts';
import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { localLink } from '../../api/ai-tasks.ts';
import { useTask } from '../../api/use-task.ts';
import { useOutputLink } from '../../ui/output-link.ts';
import { engineOf, type Run } from './state/runs.ts';
import { Failure } from '../../ui/failure.tsx';

interface CompareEnginesProps {
  readonly runs: readonly Run[];
  readonly onChoose: (engine: string) => void;
}

/** Shows the same swap by several engines, side by side. */
export function CompareEngines({ runs, onChoose }: CompareEnginesProps) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        The same swap by each engine
      </Title>
      <div className="engines">
        {runs.map((run) => (
          <section key={run.key} aria-label={engineOf(run)}>
            <Text fw={600}>{engineOf(run)}</Text>
            {run.taskId === null ? (
              <Sending run={run} />
            ) : (
              <Swapped id={run.taskId} onChoose={() => onChoose(engineOf(run))} />
            )}
          </section>
        ))}
      </div>
    </Stack>
  );
}

function Sending({ run: { error, sent } }: { run: Run }) {
  if (error !== null) return <Failure title="The swap was refused">{error.message}</Failure>;
  return <Progress value={sent * 100} aria-label="Upload" />;
}

interface SwappedProps {
  readonly id: string;
  readonly onChoose: () => void;
}

function Swapped({ id, onChoose }: SwappedProps) {
  const { data: task, error } = useTask(id);
  if (task === null)
    return error === null ? null : <Failure title="This could not be loaded">{error.message}</Failure>;
  if (!isTerminal(task.status)) return <Progress value={task.progress * 100} aria-label="Progress" />;
  const [output] = task.outputs;
  if (output === undefined)
    return (
      <Failure title="The swap failed">{task.error?.message ?? 'The result is no longer stored.'}</Failure>
    );
  const { workedSeconds } = task.timings;
  const [thumbnail] = task.thumbnailUrls;
  const likeness = task.receipt?.identitySimilarity;
  return (
    <Stack gap={6}>
      <Picture output={output} />
      <Group gap="sm" wrap="nowrap">
        {typeof thumbnail === 'string' && <img src={localLink(thumbnail)} alt="The new face" />}
        <Text size="sm" c="dimmed" role="status">
          {workedSeconds?.toFixed(1)} s, {task.costCredits} credits
          {typeof likeness === 'number' && `, likeness ${likeness.toFixed(2)}`}
        </Text>
      </Group>
      <Button variant="default" onClick={onChoose}>
        Use this engine
      </Button>
    </Stack>
  );
}

function Picture({ output }: { output: Parameters<typeof useOutputLink>[0] }) {
  const { link, gone } = useOutputLink(output);
  return link === null ? <Text>{gone}</Text> : <img className="shown" src={link} alt="After the swap" />;
}
