import { isTerminal } from '@guise/contract/task.ts';
import { Alert, Button, Loader, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useTask } from '../../api/use-task.ts';
import { useRuns, type Run, stopRun } from './state/runs.ts';
import { Done } from './done.tsx';
import { usePicture } from './preview.tsx';
import { sentenceOf } from './state/notes.ts';
import { timeLeft } from './state/time-left.ts';
import { WaitNote } from './wait-note.tsx';
import { Failure } from '../../ui/failure.tsx';

interface StageProps {
  /** Key of a run of this tab, or id of a task. */
  readonly shown: string;
  readonly onUseAsTarget: (file: File) => void;
}

/** Shows a swap: how far it is, and then its result or why there is none. */
export function Stage({ shown, onUseAsTarget }: StageProps) {
  const runs = useRuns();
  const run = runs.find(({ key, taskId }) => key === shown || taskId === shown);
  const taskId = run === undefined ? shown : run.taskId;
  if (taskId !== null) return <TaskStage key={taskId} id={taskId} run={run} onUseAsTarget={onUseAsTarget} />;
  if (run!.error !== null)
    return (
      <Failure title="The swap was refused">{sentenceOf(run!.error.message, run!.error.field ?? '')}</Failure>
    );
  return (
    <>
      <WaitNote until={run!.waitUntil} />
      <Working
        target={run!.order.befores[0]?.file ?? null}
        percent={run!.sent * 100}
        state={run!.sent < 1 ? 'Uploading' : 'Waiting for a worker'}
        detail={run!.sent < 1 ? `${Math.round(run!.sent * 100)} %` : ''}
        onCancel={() => stopRun(run!.key)}
      />
    </>
  );
}

interface TaskStageProps {
  readonly id: string;
  readonly run: Run | undefined;
  readonly onUseAsTarget: (file: File) => void;
}

function TaskStage({ id, run, onUseAsTarget }: TaskStageProps) {
  const task = useTask(id);
  const [error, setError] = useState<string | null>(null);
  const { data } = task;
  if (data === null) {
    if (task.error === null) return <Loader aria-label="Loading" />;
    return <Failure title="This could not be loaded">{task.error.message}</Failure>;
  }
  const cancel = (): void => {
    account('DELETE', `tasks/${id}`).then(task.reload, (failure: Error) => setError(failure.message));
  };
  const percent = Math.round(data.progress * 100);
  const left = timeLeft(data, Date.now());
  return (
    <>
      <Failure mb="sm">{error}</Failure>
      {!isTerminal(data.status) && (
        <Working
          target={run?.order.befores[0]?.file ?? null}
          percent={percent}
          state={data.status === 'PENDING' ? 'Waiting for a worker' : 'Swapping'}
          detail={data.status === 'PENDING' ? '' : `${percent} %${left === null ? '' : `, ${left} left`}`}
          onCancel={cancel}
        />
      )}
      {data.status === 'FAILED' && (
        <Failure title="The swap failed">{data.error?.message} Nothing was charged.</Failure>
      )}
      {data.status === 'CANCELLED' && (
        <Alert role="status" mb="sm">
          Cancelled. Only finished outputs were charged: {data.costCredits} credits.
        </Alert>
      )}
      {isTerminal(data.status) && data.status !== 'FAILED' && (
        <Done task={data} run={run} reload={task.reload} onUseAsTarget={onUseAsTarget} />
      )}
    </>
  );
}

interface WorkingProps {
  readonly target: File | null;
  readonly percent: number;
  readonly state: string;
  /** How far it is. It is not read aloud, because it changes all the time. */
  readonly detail: string;
  readonly onCancel: () => void;
}

/** The target, dimmed, with how far the work is. */
function Working({ target, percent, state, detail, onCancel }: WorkingProps) {
  const isPicture = target !== null && target.type.startsWith('image/');
  const { url, onError } = usePicture(isPicture ? target : null);
  return (
    <div className="working">
      {url !== null && <img src={url} alt="" onError={onError} />}
      <div className="over">
        <Text fw={600}>
          <span role="status">{state}</span> {detail}
        </Text>
        <Progress value={percent} aria-label="Progress" w="min(280px, 100%)" />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
