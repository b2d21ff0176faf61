/** Reasons for which running work must stop early. None is a failure of the task. */
export type StopReason = 'cancelled' | 'lease-lost' | 'shutdown';

/** Reason for the abort of a task's signal. */
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
  /** Checks the lease now, without waiting for the next heartbeat. */
  readonly checkLease: () => void;
}

/** Running tasks and parts of this worker, so that a cancel notification can stop them. */
export class TaskAborts {
  readonly #handles = new Map<string, Set<TaskHandle>>();

  /** @returns a function that removes the handle */
  add(taskId: string, handle: TaskHandle): () => void {
    const handles = this.#handles.get(taskId) ?? new Set();
    this.#handles.set(taskId, handles.add(handle));
    return () => {
      handles.delete(handle);
      if (handles.size === 0 && this.#handles.get(taskId) === handles) this.#handles.delete(taskId);
    };
  }

  cancel(taskId: string): void {
    for (const handle of this.#handles.get(taskId) ?? []) handle.abort(new TaskStopped('cancelled'));
  }

  /**
   * Checks all leases. To be called after the notification connection was lost, because a
   * cancellation may have been missed.
   */
  checkAll(): void {
    for (const handles of this.#handles.values()) for (const handle of handles) handle.checkLease();
  }
}
