import type { TaskDetailBody } from '@guise/contract/account/own.ts';
import type { DetectedFaceBody } from '@guise/contract/ai-tasks/schemas.ts';
import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { DownloadIcon, ImageIcon, TrashIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { localLink } from '../../api/ai-tasks.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { fetchFile } from '../../ui/fetch-file.ts';
import { formatTime } from '../../ui/format.ts';
import { useOutputLink } from '../../ui/output-link.ts';
import { Compare } from './compare.tsx';
import { CompareFilms } from './compare-films.tsx';
import type { Run } from './state/runs.ts';
import { Failure } from '../../ui/failure.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type Output = TaskDetailBody['outputs'][number];

interface DoneProps {
  readonly task: TaskDetailBody;
  /** The run of this tab that made the task, with its files. */
  readonly run: Run | undefined;
  readonly reload: () => void;
  /** Missing where there is no page of swaps. */
  readonly onUseAsTarget?: (file: File) => void;
}

/** Shows the outputs of a task that has ended, one at a time, and what can be done with them. */
export function Done(props: DoneProps) {
  const { task } = props;
  const [chosen, setChosen] = useState(0);
  const output = task.outputs.find(({ index }) => index === chosen) ?? task.outputs[0];
  return (
    <Stack gap="sm">
      {output !== undefined && <Shown key={output.index} {...props} output={output} />}
      {output === undefined && task.status === 'COMPLETED' && <Text>The result is no longer stored.</Text>}
      {task.outputs.length > 1 && (
        <Group gap={8}>
          {task.outputs.map((each, at) => (
            <Thumb
              key={each.index}
              thumbnail={task.thumbnailUrls[at] ?? null}
              output={each}
              isChosen={each === output}
              onChoose={() => setChosen(each.index)}
            />
          ))}
        </Group>
      )}
      {task.failures.map(({ index, message }) => (
        <Text key={index} size="sm" c="red.9" role="status">
          Number {index + 1} failed, and was not charged: {message}
        </Text>
      ))}
      {task.status === 'COMPLETED' && (
        <Text role="status" size="sm" c="dimmed">
          Done for {task.costCredits} credits{likeness(task.receipt)}.{' '}
          <TextLink href={`/tasks/${task.id}`}>Details</TextLink>
        </Text>
      )}
    </Stack>
  );
}

interface ShownProps extends DoneProps {
  readonly output: Output;
}

function Shown({ output, task, run, reload, onUseAsTarget }: ShownProps) {
  const { link, gone } = useOutputLink(output);
  const [error, setError] = useState<string | null>(null);
  const name = `Output ${output.index + 1}`;
  const target = run?.order.befores[output.index];
  const before = target?.file;
  if (link === null) return <Text>{`${name}: ${gone}`}</Text>;
  const isVideo = output.contentType.startsWith('video/');
  const fileName = `swap-${output.index + 1}.${output.contentType.split('/')[1]}`;
  const act = (work: Promise<unknown>): void => {
    setError(null);
    work.catch((failure: Error) => setError(failure.message));
  };
  return (
    <>
      {before !== undefined && !isVideo && before.type.startsWith('image/') ? (
        <Compare
          before={before}
          after={link}
          {...output}
          begin={beginOf(run!.faces[target!.field], output.width)}
        />
      ) : before !== undefined && isVideo && before.type.startsWith('video/') ? (
        <CompareFilms before={before} after={link} {...output} startSeconds={run!.order.startSeconds} />
      ) : isVideo ? (
        <video className="shown" src={link} controls loop playsInline aria-label="The swapped video" />
      ) : (
        <img className="shown" src={link} alt={name} />
      )}
      <Failure>{error}</Failure>
      <Group gap="xs">
        <Button
          component="a"
          href={link}
          download={fileName}
          leftSection={<DownloadIcon size={16} />}
          variant="default"
        >
          Download {output.width} x {output.height}
        </Button>
        {onUseAsTarget !== undefined && !isVideo && output.contentType !== 'image/gif' && (
          <Button
            variant="default"
            leftSection={<ImageIcon size={16} />}
            onClick={() => act(fetchFile(link, fileName).then(onUseAsTarget))}
          >
            Use as target
          </Button>
        )}
        <ConfirmButton
          verb="Delete"
          what="the result"
          size="sm"
          icon={<TrashIcon size={16} />}
          onConfirm={() => act(account('DELETE', `tasks/${task.id}/files`).then(reload))}
        />
        <Text size="sm" c="dimmed">
          until {formatTime(output.expiresAt ?? null)}
        </Text>
      </Group>
    </>
  );
}

interface ThumbProps {
  readonly output: Output;
  /** Address of its thumbnail; null if it has none. */
  readonly thumbnail: string | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Thumb({ output, thumbnail, isChosen, onChoose }: ThumbProps) {
  const { link } = useOutputLink(output);
  const picture = link === null || thumbnail === null ? link : localLink(thumbnail);
  return (
    <UnstyledButton
      className="pick"
      aria-pressed={isChosen}
      aria-label={`Show output ${output.index + 1}`}
      onClick={onChoose}
    >
      {picture === null ? null : <img src={picture} alt="" loading="lazy" />}
    </UnstyledButton>
  );
}

/** Returns the left edge of the largest face, in percent of the width: there is what to compare. */
function beginOf(faces: readonly DetectedFaceBody[] | undefined, width: number): number {
  const largest = faces?.toSorted((one, other) => other.width - one.width)[0];
  return largest === undefined ? 50 : Math.min(90, Math.max(10, (largest.x / width) * 100));
}

/** Returns a word for the likeness to the source: identity similarity is 1 for the same picture. */
function likeness(receipt: Record<string, unknown> | null): string {
  const similarity = receipt?.identitySimilarity;
  if (typeof similarity !== 'number') return '';
  return `, ${similarity >= 0.55 ? 'very like the face' : similarity >= 0.4 ? 'like the face' : 'only a little like the face'}`;
}
