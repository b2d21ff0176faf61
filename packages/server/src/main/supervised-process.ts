import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError, SUPERVISED_ARGUMENT } from './lifecycle.ts';
import type { MessageFromService, MessageToService, News } from './service-message.ts';

export interface SupervisedProcessOptions {
  readonly name: string;
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  /** Messages for every started process. Each is sent as soon as it is known. */
  readonly news: readonly Promise<News>[];
  /** Writes a line to the log when the process has ended and is started again. */
  readonly log: (line: string) => void;
}

/** Longest pause before the process is started again. */
const MAX_RESTART_DELAY_MS = 15_000;

/** If the process lived longer than this, the restart pauses begin again with the shortest. */
const STEADY_AFTER_MS = 30_000;

/**
 * Process of the service that is started again whenever it ends, after growing pauses, until it is
 * stopped.
 */
export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  readonly #firstReady = Promise.withResolvers<void>();
  #child: ChildProcess | null = null;
  #startedAtMs = 0;
  #deathsInARow = 0;
  #wasReady = false;
  readonly #stopping = new AbortController();
  /** Reason that the process gave for its end; null if it gave none. */
  #reason: string | null = null;

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
    this.#firstReady.promise.catch(() => {});
    this.#start();
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Resolves when the process is ready. Rejects if it ended before that: a failed first start is
   * reported and not repeated.
   */
  whenReady(): Promise<void> {
    return this.#firstReady.promise;
  }

  /** Asks the process to finish its work and exit. Kills it after `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.send({ type: 'stop' } satisfies MessageToService, () => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    await exited;
    clearTimeout(timer);
  }

  /** Kills the process at once. */
  kill(): void {
    this.#stopping.abort();
    this.#child?.kill('SIGKILL');
  }

  #start(): void {
    if (this.#stopping.signal.aborted) return;
    const { script, env, news } = this.#options;
    const child = fork(script, [SUPERVISED_ARGUMENT], {
      env,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#startedAtMs = performance.now();
    this.#reason = null;
    for (const each of news) {
      void each.then(
        (message) => child.connected && child.send(message satisfies MessageToService, () => {}),
        () => {},
      );
    }
    child.on('error', () => {});
    child.on('message', (message: MessageFromService) => {
      if (message.type === 'failed') {
        this.#reason = message.reason;
        return;
      }
      this.#wasReady = true;
      this.#firstReady.resolve();
    });
    // Waits for 'close' and not for 'exit', because messages of the process may arrive after its
    // exit.
    child.once('close', (code, signal) => void this.#ended(signal ?? `code ${code}`));
  }

  async #ended(how: string): Promise<void> {
    this.#child = null;
    if (this.#stopping.signal.aborted) return;
    if (!this.#wasReady) {
      const unexplained = `The ${this.#options.name} process could not start (${how}).`;
      this.#firstReady.reject(new StartError(this.#reason ?? unexplained));
      return;
    }
    if (performance.now() - this.#startedAtMs > STEADY_AFTER_MS) this.#deathsInARow = 0;
    const waitMs =
      this.#deathsInARow === 0 ? 0 : Math.min(MAX_RESTART_DELAY_MS, 250 * 2 ** this.#deathsInARow);
    this.#deathsInARow += 1;
    const why = this.#reason ?? how;
    this.#options.log(`the ${this.#options.name} process ended (${why}); starting it again`);
    await delay(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    this.#start();
  }
}
