import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findListenPort } from '@guise/server/main/listen-port.ts';

export type Role = 'server' | 'worker';

const ROOT = path.resolve(import.meta.dirname, '../..');
const HOST = '127.0.0.1';
/** Pause before a process that could not start is started again. */
const RESTART_PAUSE_MS = 250;
/** Pause between two looks at whether a process is ready. */
const LOOK_PAUSE_MS = 250;
/** Longest wait for a process to be ready, with all others that start at the same time. */
const START_LIMIT_MS = 300_000;
/** Most characters of a process's output that are kept. */
const OUTPUT_LIMIT = 20_000;

/**
 * One API or worker process, as on a machine of its own: it is started again whenever it ends, as
 * an operator's supervisor does.
 */
export class Machine {
  readonly #role: Role;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;
  #url = '';
  #isReady = false;
  #isStopping = false;
  #output = '';
  #running: Promise<void> = Promise.resolve();
  /** Output of processes that ended though they were ready and nobody killed them. */
  readonly unexpectedEnds: string[] = [];

  /** @param env of the process, but for its port */
  constructor(role: Role, env: NodeJS.ProcessEnv) {
    this.#role = role;
    this.#env = { ...process.env, HOST, ...env };
  }

  /** Address of its HTTP port; another one after each start. */
  get url(): string {
    return this.#url;
  }

  /** End of what its processes printed. */
  get output(): string {
    return this.#output;
  }

  /** Starts the process and keeps it running until `stop`. */
  start(): void {
    this.#running = this.#keepRunning();
  }

  /** Waits until it serves, or takes tasks. */
  async ready(): Promise<void> {
    for (const endMs = performance.now() + START_LIMIT_MS; !this.#isReady; await delay(LOOK_PAUSE_MS)) {
      this.#isReady = await answers(`${this.#url}/readyz`);
      assert.ok(performance.now() < endMs, `a ${this.#role} is not ready in time:\n${this.#output}`);
    }
  }

  /** SIGKILL, and the end of the process; another one is started. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || hasEnded(child)) return;
    this.#isReady = false;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** SIGTERM, and the end. @returns the exit code */
  async stop(): Promise<number | null> {
    this.#isStopping = true;
    this.#child?.kill('SIGTERM');
    await this.#running;
    return this.#child?.exitCode ?? null;
  }

  async #keepRunning(): Promise<void> {
    while (!this.#isStopping) {
      // A new one each time: another program may have taken the old one.
      const port = String(await findListenPort(HOST, 0));
      if (this.#isStopping) return;
      this.#url = `http://${HOST}:${port}`;
      const script = path.join(ROOT, `packages/server/src/main/${this.#role}.ts`);
      const child = spawn(process.execPath, [path.join(ROOT, 'launch.cjs'), script], {
        cwd: ROOT,
        env: { ...this.#env, [this.#role === 'server' ? 'PORT' : 'GUISE_WORKER_METRICS_PORT']: port },
        // The channel tells a process whose test was killed that nobody will stop it.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      child.channel?.unref();
      this.#child = child;
      for (const stream of [child.stdout!, child.stderr!])
        stream
          .setEncoding('utf8')
          .on('data', (text: string) => (this.#output = (this.#output + text).slice(-OUTPUT_LIMIT)));
      await once(child, 'exit');
      // `kill` says so before; a process that was not yet ready may give up, as without a database.
      if (this.#isReady && !this.#isStopping) this.unexpectedEnds.push(this.#output);
      this.#isReady = false;
      if (child.signalCode === null && !this.#isStopping) await delay(RESTART_PAUSE_MS);
    }
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  );
}
