/**
 * Reasons for which a running task must stop before its end. None of them is a failure of the task.
 */
export type StopReason = 'cancelled' | 'lease-lost' | 'shutdown';

/** Reason with which the signal of a task is aborted. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the task was stopped: ${reason}`);
    this.reason = reason;
  }
}

export interface TaskHandle {
  readonly abort: (reason: unknown) => void;
  /** Looks at the lease now instead of at the next heartbeat. */
  readonly checkLease: () => void;
}

/** Running tasks of this worker, so that a cancel notification finds them. */
export class TaskAborts {
  readonly #handles = new Map<string, TaskHandle>();

  add(taskId: string, handle: TaskHandle): void {
    this.#handles.set(taskId, handle);
  }

  remove(taskId: string): void {
    this.#handles.delete(taskId);
  }

  cancel(taskId: string): void {
    this.#handles.get(taskId)?.abort(new TaskStopped('cancelled'));
  }

  /**
   * Checks all leases after the notification connection was lost, because a cancel may have been
   * missed.
   */
  checkAll(): void {
    for (const handle of this.#handles.values()) handle.checkLease();
  }
}
