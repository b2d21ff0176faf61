import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeAccount } from '@guise/cli/commands/account-create.ts';
import type { Plan } from '@guise/contract/plans.ts';
import { shareModels } from '@guise/engine/models/testing/test-models.ts';
import { type Database, openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { killAtOnce, processTree } from './reliability/processes.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Settings of services, unless a test has its own: two engines are the fewest. */
const SETTINGS = { PORT: '0', HOST: '127.0.0.1', GUISE_ENGINE_SLOTS: '2' };
const START_LIMIT_MS = 300_000;
const STOP_LIMIT_MS = 120_000;

export interface Service {
  readonly url: string;
  readonly dataDir: string;
  /** Id of the process that was started, and of its process group. */
  readonly pid: number;
  /** Everything it printed so far, both streams. */
  readonly output: () => string;
  /** What `guise account create` does, beside the running service, but without a process. */
  readonly createAccount: (options: NewTestAccount) => Promise<TestAccount>;
  /** Any `guise` command on this service's data; its stdout. */
  readonly guise: (...args: string[]) => Promise<string>;
  /** SIGTERM, and the end; its exit code. The data directory stays. */
  readonly stop: () => Promise<number | null>;
  /** SIGKILL to every process of the service at once, PostgreSQL included. */
  readonly killAll: () => Promise<void>;
}

export interface NewTestAccount {
  readonly email: string;
  readonly plan?: Plan;
  readonly credits?: number;
  readonly unverified?: boolean;
}

export interface TestAccount {
  readonly accountId: string;
  readonly email: string;
  readonly apiKey: string;
}

interface StartOptions {
  readonly dataDir?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** What starts Node, such as `taskset`, and must become it. */
  readonly wrapper?: readonly string[];
}

/**
 * Starts the service as a user would, on a data directory of its own and a free port, and waits
 * until it is ready.
 */
export async function startService(options: StartOptions = {}): Promise<Service> {
  try {
    return await startOnce(options);
  } catch (error) {
    // Between the look for a free port and its use another test may have taken it.
    if (!/EADDRINUSE|is taken by another program/.test(String(error))) throw error;
    return startOnce(options);
  }
}

async function startOnce(options: StartOptions): Promise<Service> {
  const dataDir = options.dataDir ?? (await makeDataDir());
  // What a first start converts is tested in first-build.test.ts and npm-start.test.ts.
  await shareModels(dataDir);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...SETTINGS,
    GUISE_DATA_DIR: dataDir,
    ...options.env,
  };
  if (!env.DATABASE_URL && !existsSync(path.join(dataDir, 'postgres')))
    await promisify(execFile)('cp', ['-a', path.join(await newCluster(), 'postgres'), dataDir]);
  const [command, ...args] = [...(options.wrapper ?? []), process.execPath];
  const child = spawn(
    command!,
    [...args, path.join(ROOT, 'launch.cjs'), path.join(ROOT, 'packages/server/src/main/all-in-one.ts')],
    // The channel tells a service whose test was killed that nobody will stop it.
    { env, cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  child.channel?.unref();
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const url = await readyUrl(child, () => output);
  const guise = async (...args: string[]): Promise<string> => {
    const command = [path.join(ROOT, 'packages/cli/bin/guise.cjs'), ...args];
    return (await promisify(execFile)(process.execPath, command, { env })).stdout;
  };
  return {
    url,
    dataDir,
    pid: child.pid!,
    output: () => output,
    guise,
    createAccount: ({ email, plan = 'pro', credits = 1000, unverified = false }) =>
      onDatabaseOf(env, (db) => makeAccount(db, { email, plan, credits, unverified })),
    async stop() {
      child.kill('SIGTERM');
      await ended(child);
      return child.exitCode;
    },
    async killAll() {
      const postgres = await readPostmasterPid(dataDir);
      const tree = await processTree(child.pid!);
      killAtOnce([...tree.map(({ pid }) => pid), ...(postgres === null ? [] : [postgres])]);
      await ended(child);
    },
  };
}

/**
 * Makes a new cluster of PostgreSQL unless an earlier test made it: initdb takes a second of the
 * processor. What initdb makes is tested in embedded.test.ts.
 * @returns the data folder that has it
 */
async function newCluster(): Promise<string> {
  const made = path.join(tmpdir(), `guise-test-cluster-${process.getuid?.() ?? 0}`);
  if (existsSync(made)) return made;
  const making = await mkdtemp(`${made}-`);
  await chmod(making, 0o711);
  await (await openEmbedded(making, { role: 'service' })).stop();
  // Another test may have made it meanwhile.
  await rename(making, made).catch(() => rm(making, { recursive: true }));
  return made;
}

/** A folder that PostgreSQL can reach when it runs as another user. */
export async function makeDataDir(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'guise-acceptance-'));
  await chmod(dir, 0o711);
  return path.join(dir, 'data');
}

/** Removes what `makeDataDir` made. */
export function removeDataDir(dataDir: string): Promise<void> {
  return rm(path.dirname(dataDir), { recursive: true, force: true });
}

export async function readPostmasterPid(dataDir: string): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  } catch {
    return null;
  }
}

/** Runs `use` on the database of a service with this environment. */
async function onDatabaseOf<T>(env: NodeJS.ProcessEnv, use: (db: Database) => Promise<T>): Promise<T> {
  const own = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  // Only for this call: the last user of PostgreSQL stops it, and that must be the service.
  const embedded = own ? null : await openEmbedded(env.GUISE_DATA_DIR!, { role: 'visitor' });
  const db = openDatabase(own || embedded!.url, { poolSize: 1 });
  try {
    return await use(db);
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

async function readyUrl(child: ChildProcess, output: () => string): Promise<string> {
  const ready = Promise.withResolvers<string>();
  const look = (): void => {
    const url = /^guise ready at (\S+)\n/m.exec(output())?.[1];
    if (url !== undefined) ready.resolve(url);
  };
  const onExit = (): void => ready.reject(new Error(`the service ended before it was ready:\n${output()}`));
  const timer = setTimeout(() => ready.reject(new Error(`not ready in time:\n${output()}`)), START_LIMIT_MS);
  child.stdout?.on('data', look);
  child.once('exit', onExit);
  try {
    return await ready.promise;
  } finally {
    clearTimeout(timer);
    child.stdout?.off('data', look);
    child.off('exit', onExit);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(timer);
  assert.ok(child.exitCode !== null || child.signalCode !== null);
}
