import type { OutputBody, TaskResultBody } from '@guise/contract/ai-tasks/schemas.ts';
import { Alert, Anchor, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { formatTime } from '../../ui/format.ts';
import { useOutputLink } from '../../ui/output-link.ts';
import { Compare } from './compare.tsx';
import type { Swap } from './use-swap.ts';
import { WaitNote } from './wait-note.tsx';

/** The inputs of a swap. The page's current files may be different by now. */
export interface Origin {
  /** Replaces field names in a message of the service by the words of this page. */
  readonly words: (sentence: string) => string;
  /** The target file, if there is only one. */
  readonly before: File | undefined;
}

interface ResultProps {
  readonly swap: Swap;
  readonly of: Origin;
}

/** Shows the progress, and then the outputs or the reason why there are none. */
export function Result({ swap, of: { words, before } }: ResultProps) {
  const { task, error, waitUntil, isRunning } = swap;
  const { progress, outputs, failures, failure } = partsOf(task?.result ?? null);
  const percent = Math.round(progress * 100);
  return (
    <Stack aria-live="polite">
      {error !== null && (
        <Alert color="red" role="alert" title="The swap was refused">
          {words(error)}
        </Alert>
      )}
      <WaitNote until={waitUntil} />
      {isRunning && (
        <Group wrap="nowrap">
          <Progress value={percent} aria-label="Progress" style={{ flex: 1 }} />
          <Text w={175}>
            {task?.status === 'PROCESSING' ? `Swapping: ${percent} %` : 'Waiting for a worker'}
          </Text>
          <Button variant="default" onClick={() => void swap.cancel()}>
            Cancel
          </Button>
        </Group>
      )}
      {task?.status === 'FAILED' && (
        <Alert color="red" role="alert" title="The swap failed">
          {words(failure)} Nothing was charged.
        </Alert>
      )}
      {task?.status === 'CANCELLED' && (
        <Alert role="status">
          Cancelled. Only finished outputs were charged: {task.costCredits} credits.
        </Alert>
      )}
      {task?.status === 'COMPLETED' && <Text role="status">Done for {task.costCredits} credits.</Text>}
      {failures.map(({ index, message }) => (
        <Alert key={index} color="orange">
          Number {index + 1}: {words(message)}
        </Alert>
      ))}
      <SimpleGrid cols={{ base: 1, sm: outputs.length > 1 ? 2 : 1 }}>
        {outputs.map((output) => (
          <Shown key={output.index} output={output} before={before} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

/** Returns the parts of a result, whose form depends on the task's status. */
function partsOf(result: TaskResultBody) {
  if (result === null) return { progress: 0, outputs: [], failures: [], failure: '' };
  return {
    progress: 'progress' in result ? result.progress : 0,
    outputs: 'outputs' in result ? result.outputs : [],
    failures: 'failures' in result ? (result.failures ?? []) : [],
    /** Reason why the whole task failed. */
    failure: 'error' in result ? result.error.message : '',
  };
}

function Shown({ output, before }: { output: OutputBody; before: File | undefined }) {
  const { link, gone } = useOutputLink(output);
  const name = `Output ${output.index + 1}`;
  if (link === null) return <Text>{`${name}: ${gone}`}</Text>;
  const isVideo = output.contentType.startsWith('video/');
  const canCompare =
    before !== undefined && before.type.startsWith('image/') && output.contentType !== 'image/gif';
  return (
    <div>
      {isVideo && (
        <video className="shown" src={link} controls loop playsInline aria-label="The swapped video" />
      )}
      {!isVideo && canCompare && <Compare before={before} after={link} />}
      {!isVideo && !canCompare && <img className="shown" src={link} alt={name} />}
      <Text>
        <Anchor
          href={link}
          underline="always"
          download={`swap-${output.index + 1}.${output.contentType.split('/')[1]}`}
        >
          Download {output.width} x {output.height}
        </Anchor>
        , until {formatTime(output.expiresAt ?? null)}
      </Text>
    </div>
  );
}
