import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { until } from './processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** An API process beside the service of a test, as further machines run one. */
export interface ApiProcess {
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** SIGKILL, and the end. */
  readonly kill: () => Promise<void>;
}

/**
 * Starts one and waits until it is ready. @param env names the database that it shares, and may
 * name its `PORT`
 */
export async function startApi(env: NodeJS.ProcessEnv): Promise<ApiProcess> {
  const port = env.PORT ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    process.execPath,
    [path.join(ROOT, 'launch.cjs'), path.join(ROOT, 'packages/server/src/main/server.ts')],
    {
      env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await until('the API process is ready', async () => {
    assert.ok(isRunning(child), `the API process ended before it was ready:\n${output}`);
    return await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!isRunning(child)) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return { url, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
