import type { LooksSoFar } from '@guise/engine-host/protocol/engine-job.ts';
import { decrypt, encrypt } from '../db/encryption.ts';
import type { SecretRing } from '../db/installation-secrets.ts';
import type { LookAtClipOrder, TaskResult } from '../tasks/task.ts';
import type { TaskRun } from './work/task-run.ts';
import { withInputs } from './work/with-inputs.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Longest time for which one slice of looking at a clip occupies its slot. */
const SLICE_MS = 1000;

/** Outcome of a slice: the final result, or a state for the next slice. */
export interface LookSlice {
  readonly isDone: boolean;
  readonly result: TaskResult;
}

/**
 * Looks at a clip for at most a second, so that other short work can run between two slices. The
 * state for the next slice contains face embeddings, so it is stored encrypted and deleted after
 * the last slice.
 */
export async function performLook(
  { clip, maxMs, withPreviews }: LookAtClipOrder,
  { task, signal, onProgress }: TaskRun,
  { storage, engine, secret }: SlotOptions,
): Promise<LookSlice> {
  const before = task.result?.clipLook;
  const startedAtMs = before?.startedAtMs ?? Date.now();
  const isLast = Date.now() - startedAtMs + SLICE_MS >= maxMs;
  const goesOnFrom = before?.sealed === undefined ? null : unseal(before.sealed, secret, task.id);
  const { sofar, ...outcome } = await withInputs(storage, [clip], ([targetPath]) =>
    engine.run(
      {
        kind: 'look-at-clip',
        name: clip.field,
        targetPath: targetPath!,
        ...(goesOnFrom === null ? {} : { sofar: goesOnFrom }),
        budgetMs: SLICE_MS,
        previews: withPreviews ? (isLast ? 'always' : 'if-complete') : undefined,
      },
      { signal, onProgress },
    ),
  );
  const isOver = Date.now() - startedAtMs >= maxMs;
  // Previews need one more slice if this one took until the end and did not expect it.
  const isDone = outcome.isComplete || (withPreviews ? isLast : isOver);
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

/** Decrypts the state of the previous slice; null if its secret is not known any more. */
function unseal(sealed: string, secret: SecretRing, taskId: string): LooksSoFar | null {
  for (const key of secret.accepted()) {
    const text = decrypt(Buffer.from(sealed, 'base64'), key, purposeOf(taskId));
    if (text !== null) return JSON.parse(text) as LooksSoFar;
  }
  return null;
}
