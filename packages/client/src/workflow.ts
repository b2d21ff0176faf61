import type { DeletedFiles, Outcome, Quote, Task, TaskAccepted } from './api-types.ts';
import type { TaskEvent } from './events.ts';
import { formOf } from './form-data.ts';
import { GuiseError, TaskEndedError } from './guise-error.ts';
import type { Http, RequestOptions } from './http.ts';
import { pause } from './pause.ts';

/** First pause between two reads of a task without events, and the longest; it doubles. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [1000, 30_000];

/** A task that was done. */
export type CompletedTask = Task & { readonly status: 'COMPLETED'; readonly result: Outcome };

export interface WaitOptions extends Pick<RequestOptions, 'signal'> {
  /** Called with the task whenever its status or progress has changed. */
  readonly onChange?: (task: Task) => void;
}

/** Opens the stream of changes of a task. */
type Follow = (taskId: string, signal?: AbortSignal) => Promise<AsyncGenerator<TaskEvent, void>>;

/** The tasks of one kind, such as photos. `Form` has the fields of the HTTP interface. */
export class Workflow<Form extends object> {
  readonly #http: Http;
  readonly #path: string;
  readonly #follow: Follow;

  constructor(http: Http, path: string, follow: Follow) {
    this.#http = http;
    this.#path = path;
    this.#follow = follow;
  }

  /**
   * Creates a task. A request that is sent again makes no second task.
   * @throws GuiseError, such as `INSUFFICIENT_CREDITS`
   */
  swap(form: Form | FormData, options: RequestOptions = {}): Promise<TaskAccepted> {
    return this.#http.json('POST', this.#path, { ...options, creates: true, body: formOf(form) });
  }

  /** Returns the price and warnings of a task without creating it. @throws GuiseError */
  quote(form: Form | FormData, options: RequestOptions = {}): Promise<Quote> {
    return this.#http.json('POST', this.#path, { ...options, query: { dryRun: 'true' }, body: formOf(form) });
  }

  /** Reads a task. @throws GuiseError */
  get(taskId: string, options: RequestOptions = {}): Promise<Task> {
    return this.#http.json('GET', this.#path, { ...options, query: { taskId } });
  }

  /** Cancels a task that has not ended. @throws GuiseError `JOB_FINISHED` if it has */
  cancel(taskId: string, options: RequestOptions = {}): Promise<Task> {
    return this.#http.json('DELETE', this.#path, { ...options, query: { taskId } });
  }

  /**
   * Deletes the results of a task that has ended. @throws GuiseError `JOB_UNFINISHED` if it has not
   */
  deleteFiles(taskId: string, options: RequestOptions = {}): Promise<DeletedFiles> {
    return this.#http.json('DELETE', this.#path, { ...options, query: { taskId, files: 'true' } });
  }

  /**
   * Waits for the end of a task: by events, and by reading it again and again where these do not
   * come through.
   * @throws TaskEndedError if it failed or was cancelled; GuiseError if it cannot be read; the
   *   reason of `signal`
   */
  async wait(taskId: string, { signal, onChange }: WaitOptions = {}): Promise<CompletedTask> {
    let last = '';
    const endOf = (task: Task): CompletedTask | null => {
      const state = JSON.stringify(task);
      if (state !== last) onChange?.(task);
      last = state;
      if (task.status === 'FAILED' || task.status === 'CANCELLED') throw new TaskEndedError(task);
      return task.status === 'COMPLETED' ? (task as CompletedTask) : null;
    };
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      // The stream is opened before the task is read, so that no change is missed in between.
      const stop = new AbortController();
      const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
      const events = await this.#follow(taskId, either).catch((error: unknown) => {
        if (error instanceof GuiseError) return null;
        throw error;
      });
      try {
        const end = endOf(await this.get(taskId, { signal }));
        if (end !== null) return end;
        for await (const { task } of events ?? []) {
          pauseMs = FIRST_PAUSE_MS;
          const endByEvent = endOf(task);
          if (endByEvent !== null) return endByEvent;
        }
      } finally {
        stop.abort();
      }
      await pause(pauseMs, signal);
    }
  }
}
