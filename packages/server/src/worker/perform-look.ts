import type { LooksSoFar } from '@guise/engine-host/protocol/engine-job.ts';
import type { LookAtClipOrder, TaskResult } from '../tasks/task.ts';
import type { TaskRun } from './work/task-run.ts';
import { withInputs } from './work/with-inputs.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Time that one slice of looking at a clip takes its slot for. */
const SLICE_MS = 1000;

/** What a slice came to: all of it, or a state for the next slice. */
export interface LookSlice {
  readonly isDone: boolean;
  readonly result: TaskResult;
}

/** Looks at a clip for a second at most, so that other short work comes between two slices. */
export async function performLook(
  { clip, maxMs }: LookAtClipOrder,
  { task, signal, onProgress }: TaskRun,
  { storage, engine }: SlotOptions,
): Promise<LookSlice> {
  const before = task.result?.clipLook;
  const startedAtMs = before?.startedAtMs ?? Date.now();
  const outcome = await withInputs(storage, [clip], ([targetPath]) =>
    engine.run(
      {
        kind: 'look-at-clip',
        name: clip.field,
        targetPath: targetPath!,
        ...(before === undefined ? {} : { sofar: before.outcome.sofar as LooksSoFar }),
        budgetMs: SLICE_MS,
      },
      { signal, onProgress },
    ),
  );
  const isDone = outcome.isComplete || Date.now() - startedAtMs >= maxMs;
  return { isDone, result: { outputs: [], failures: [], clipLook: { startedAtMs, outcome } } };
}
