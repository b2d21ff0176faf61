import type { LooksSoFar } from '@guise/engine-host/protocol/engine-job.ts';
import { decrypt, encrypt } from '../db/encryption.ts';
import type { SecretRing } from '../db/installation-secrets.ts';
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

/**
 * Looks at a clip for a second at most, so that other short work comes between two slices. What it
 * leaves for the next slice holds face embeddings: no table has them readable, nor any after the
 * last slice.
 */
export async function performLook(
  { clip, maxMs }: LookAtClipOrder,
  { task, signal, onProgress }: TaskRun,
  { storage, engine, secret }: SlotOptions,
): Promise<LookSlice> {
  const before = task.result?.clipLook;
  const startedAtMs = before?.startedAtMs ?? Date.now();
  const goesOnFrom = before?.sealed === undefined ? null : unseal(before.sealed, secret, task.id);
  const { sofar, ...outcome } = await withInputs(storage, [clip], ([targetPath]) =>
    engine.run(
      {
        kind: 'look-at-clip',
        name: clip.field,
        targetPath: targetPath!,
        ...(goesOnFrom === null ? {} : { sofar: goesOnFrom }),
        budgetMs: SLICE_MS,
      },
      { signal, onProgress },
    ),
  );
  const isDone = outcome.isComplete || Date.now() - startedAtMs >= maxMs;
  const clipLook = {
    startedAtMs,
    outcome: { ...outcome, framesLooked: sofar.looks.length },
    ...(isDone ? {} : { sealed: seal(sofar, secret, task.id) }),
  };
  return { isDone, result: { outputs: [], failures: [], clipLook } };
}

function purposeOf(taskId: string): string {
  return `guise clip look ${taskId}`;
}

function seal(sofar: LooksSoFar, secret: SecretRing, taskId: string): string {
  return encrypt(JSON.stringify(sofar), secret.signing(), purposeOf(taskId)).toString('base64');
}

/** Returns what a slice left; null if it was sealed with a secret that is no longer known. */
function unseal(sealed: string, secret: SecretRing, taskId: string): LooksSoFar | null {
  for (const key of secret.accepted()) {
    const text = decrypt(Buffer.from(sealed, 'base64'), key, purposeOf(taskId));
    if (text !== null) return JSON.parse(text) as LooksSoFar;
  }
  return null;
}
