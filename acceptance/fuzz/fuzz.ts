/**
 * Twenty accounts do what they like with their tasks while processes of the service are killed.
 *
 *     node launch.cjs acceptance/fuzz/fuzz.ts --minutes 60 --seed 1
 *
 * Prints its figures as JSON, and exits with 1 if anything that was promised does not hold: every
 * accepted task ends, followers learn of its end, the ledger adds up, nothing answers 5xx but BUSY
 * beside a kill, and the API's memory stays flat. Not part of the tests: it takes an hour.
 */
import { readFile } from 'node:fs/promises';
import { connect, createServer, type Socket, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { checkLedger } from '@guise/server/credits/check-ledger.ts';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { seededRandom } from '../../scripts/seeded-order.ts';
import { Client, photo } from '../ai-tasks/client.ts';
import { findProcesses } from '../reliability/processes.ts';
import { makeDataDir, readPostmasterPid, removeDataDir, type Service, startService } from '../service.ts';
import { Follower } from './follower.ts';

/** Accounts that act at a time. */
const ACCOUNTS = 20;
/** Longest pause of an account between two actions, milliseconds. */
const MAX_PAUSE_MS = 6000;
/** Longest pause between two kills, milliseconds. */
const MAX_KILL_PAUSE_MS = 150_000;
/** Time after a kill in which what is not answered, or BUSY, is the kill's. */
const AFTERMATH_MS = 30_000;
/** Time in which all tasks must have ended after the last action. */
const SETTLE_MS = 900_000;
/** Tasks of an account that have not ended up to which it creates others. */
const MOST_UNFINISHED = 5;
/** Share of the actions that create tasks. */
const CREATES_BELOW = 0.34;
/** Statuses of tasks that have ended. */
const ENDED = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);
/** Growth of the API's memory over the run from which it is not flat, bytes. */
const MAX_GROWTH_BYTES = 120e6;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const endsAtMs = performance.now() + 60_000 * Number(values.minutes);

interface Actor {
  readonly accountId: string;
  readonly email: string;
  readonly url: string;
  apiKey: string;
  keyId: string | null;
  readonly accepted: Map<string, string>;
  readonly random: () => number;
  readonly stalled: Socket[];
}

const { face, body } = await readSampleFaces();
const dataDir = await makeDataDir();
const env = { PORT: String(await freePort()), GUISE_ENGINE_SLOTS: '2' };
let service: Service = await startService({ dataDir, env });
const { url } = service;
let lastKillMs = -Infinity;
const followers = new Map<Actor, Follower>();
const counts = new Map<string, number>();
const faults: string[] = [];
const memoryBytes: number[] = [];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function isInAftermath(): boolean {
  return performance.now() - lastKillMs < AFTERMATH_MS;
}

/** Notes an answer, and says whether it is a fault: 5xx but BUSY beside a kill. */
function note(action: string, status: number, text: string): void {
  count(`${action} ${status}`);
  if (status < 500 || (status === 503 && isInAftermath())) return;
  faults.push(`${action}: ${status} ${text.slice(0, 200)}`);
}

/** Does one thing. What the kill of a process breaks off is asked again by nobody. */
async function act(actor: Actor): Promise<void> {
  const client = new Client(actor.url, actor);
  const { random } = actor;
  const [taskId, path] = [...actor.accepted][Math.floor(random() * actor.accepted.size)] ?? ['', ''];
  const call = async (action: string, method: string, at: string, form?: FormData): Promise<void> => {
    const answer = await client.call(method, at, form === undefined ? {} : { body: form });
    note(action, answer.status, JSON.stringify(answer.body));
    if (action.startsWith('create') && answer.status === 200) actor.accepted.set(answer.body.taskId, at);
  };
  const statuses = followers.get(actor)!.statuses;
  const unfinished = [...actor.accepted.keys()].filter((id) => !ENDED.has(statuses.get(id) ?? '')).length;
  // The least dice create.
  const dice = unfinished < MOST_UNFINISHED ? random() : CREATES_BELOW + (1 - CREATES_BELOW) * random();
  if (dice < 0.22) return call('create photo', 'POST', '/api/ai-tasks', formOf(1));
  if (dice < 0.27) return call('create batch', 'POST', '/api/ai-tasks/batch-face-swap', formOf(3));
  if (dice < CREATES_BELOW) {
    // While it waits or runs, mostly.
    await call('create photo', 'POST', '/api/ai-tasks', formOf(1));
    const [newest, at] = [...actor.accepted].at(-1) ?? ['', ''];
    return call('cancel', 'DELETE', `${at}?taskId=${newest}`);
  }
  if (dice < 0.42 && taskId !== '') return call('cancel', 'DELETE', `${path}?taskId=${taskId}`);
  if (dice < 0.52 && taskId !== '') return call('delete', 'DELETE', `${path}?taskId=${taskId}&files=true`);
  if (dice < 0.67 && taskId !== '') return call('get', 'GET', `${path}?taskId=${taskId}`);
  if (dice < 0.8) return call('list', 'GET', `/api/ai-tasks/list?limit=${1 + Math.floor(random() * 100)}`);
  if (dice < 0.9) return openStalled(actor);
  if (dice < 0.97) return void actor.stalled.pop()?.destroy();
  return changeKey(actor);
}

/** A photo, or a batch of as many targets. */
function formOf(targets: number): FormData {
  const form = new FormData();
  if (targets === 1) {
    for (const [name, file] of photo(face, body)) {
      const { bytes } = file as { bytes: Uint8Array };
      form.append(name, new Blob([Uint8Array.from(bytes)]), 'a.png');
    }
    return form;
  }
  form.append('mode', 'singleToMulti');
  form.append('sourceImages', new Blob([Uint8Array.from(face)]), 'face.jpg');
  for (let i = 0; i < targets; i++)
    form.append('targetImages', new Blob([Uint8Array.from(body)]), `${'long-'.repeat(38)}${i}.jpg`);
  return form;
}

/** A stream of events that nobody reads. */
async function openStalled(actor: Actor): Promise<void> {
  const { hostname, port } = new URL(actor.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `GET /api/ai-tasks/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${actor.apiKey}\r\n\r\n`,
  );
  actor.stalled.push(socket);
  count('stalled stream');
}

/** Makes another key and ends the one in use. */
async function changeKey(actor: Actor): Promise<void> {
  const key = ['account', 'key', '--email', actor.email, '--json'];
  const made = JSON.parse(await service.guise(...key, '--name', 'next')) as { apiKey: string; keyId: string };
  const before = actor.keyId;
  [actor.apiKey, actor.keyId] = [made.apiKey, made.keyId];
  if (before !== null) await service.guise(...key, '--name', 'x', '--revoke', before);
  count('key changed');
}

async function live(actor: Actor): Promise<void> {
  while (performance.now() < endsAtMs) {
    await delay(actor.random() * MAX_PAUSE_MS);
    await act(actor).catch((error: unknown) => {
      count('broken off');
      if (!isInAftermath()) faults.push(`broken off: ${(error as Error).cause ?? error}`);
    });
  }
  for (const socket of actor.stalled) socket.destroy();
}

/** Kills a process now and then: one of the service's, PostgreSQL, or all at once. */
async function kill(random: () => number): Promise<void> {
  const scripts = ['/server.ts', '/worker.ts', '/engine-child.ts'];
  while (performance.now() < endsAtMs) {
    await delay(Math.min(60_000 + random() * (MAX_KILL_PAUSE_MS - 60_000), endsAtMs - performance.now()));
    if (performance.now() >= endsAtMs) return;
    lastKillMs = performance.now();
    const dice = Math.floor(random() * 5);
    if (dice < 3) {
      count(`kill ${scripts[dice]}`);
      for (const pid of await findProcesses(service.pid, scripts[dice]!)) process.kill(pid, 'SIGKILL');
    } else if (dice === 3) {
      count('kill postgres');
      const pid = await readPostmasterPid(dataDir);
      if (pid !== null) process.kill(pid, 'SIGKILL');
    } else {
      count('kill everything');
      await service.killAll();
      service = await startService({ dataDir, env });
      lastKillMs = performance.now();
    }
  }
}

async function watchMemory(): Promise<void> {
  while (performance.now() < endsAtMs) {
    await delay(10_000);
    const [pid] = await findProcesses(service.pid, '/server.ts');
    if (pid === undefined || isInAftermath()) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    if (kib > 0) memoryBytes.push(kib * 1024);
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

const seed = Number(values.seed);
const actors: Actor[] = [];
for (let i = 0; i < ACCOUNTS; i++) {
  const email = `fuzz-${i}@example.com`;
  const { accountId, apiKey } = await service.createAccount({
    email,
    plan: 'enterprise',
    credits: 1_000_000,
  });
  const random = seededRandom(seed * 1000 + i);
  actors.push({ accountId, email, url, apiKey, keyId: null, accepted: new Map(), random, stalled: [] });
}
for (const actor of actors) followers.set(actor, new Follower(actor));
await Promise.all([...actors.map(live), kill(seededRandom(seed)), watchMemory()]);

/** Tasks that have not ended, and those whose end a follower has not heard of. */
function unfinished(): string[] {
  return actors.flatMap((actor) =>
    [...actor.accepted.keys()]
      .map((taskId) => [taskId, followers.get(actor)!.statuses.get(taskId)] as const)
      .filter(([, status]) => !ENDED.has(status ?? ''))
      .map(([taskId, status]) => `${actor.email} ${taskId}: the follower last heard ${status}`),
  );
}

for (const until = performance.now() + SETTLE_MS; unfinished().length > 0 && performance.now() < until;)
  await delay(1000);
faults.push(...unfinished());
const statuses = new Map<string, number>();
for (const actor of actors) {
  for (const [taskId, path] of actor.accepted) {
    const { status, body: task } = await new Client(url, actor).call('GET', `${path}?taskId=${taskId}`);
    statuses.set(task.status, (statuses.get(task.status) ?? 0) + 1);
    if (status !== 200 || !['COMPLETED', 'CANCELLED'].includes(task.status))
      faults.push(`${taskId} is ${status} ${JSON.stringify(task).slice(0, 300)}`);
    if (followers.get(actor)!.statuses.get(taskId) !== task.status)
      faults.push(`${taskId} is ${task.status}, and its follower heard otherwise`);
  }
}
const told = [...followers.values()];
await Promise.all(told.map((follower) => follower.leave()));
const database = await openEmbedded(dataDir, { role: 'visitor' });
const db = openDatabase(database.url, { poolSize: 2 });
faults.push(...(await checkLedger(db)));
await db.close();
await database.stop();
const errorLines = service
  .output()
  .split('\n')
  .filter((line) => /"level":(50|60)|uncaught/i.test(line));
await service.stop();
await removeDataDir(dataDir);

const tenth = Math.ceil(memoryBytes.length / 6);
const [first, last] = [median(memoryBytes.slice(0, tenth)), median(memoryBytes.slice(-tenth))];
if (last - first > MAX_GROWTH_BYTES) faults.push(`the API grew from ${first} to ${last} bytes`);
const figures = {
  minutes: Number(values.minutes),
  seed,
  tasks: Object.fromEntries(statuses),
  actions: Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  events: told.reduce((sum, { events }) => sum + events, 0),
  connections: told.reduce((sum, { connections }) => sum + connections, 0),
  apiMegabytes: { first: first / 1e6, last: last / 1e6, most: Math.max(...memoryBytes) / 1e6 },
  errorLines: errorLines.slice(0, 20),
  faults: faults.slice(0, 50),
};
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
process.exit(faults.length > 0 ? 1 : 0);
