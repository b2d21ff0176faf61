import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listApiKeys, revokeApiKey } from '../../accounts/api-keys.ts';
import { setSuspended } from '../../accounts/testing/suspend-account.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import { finishTask } from '../../tasks/finish-task.ts';
import { heartbeat } from '../../tasks/heartbeat.ts';
import { claimTask } from '../../tasks/testing/claim-task.ts';
import { newOutput, newPhoto, resultWith } from '../../tasks/testing/task-fixtures.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

const PATIENCE_MS = 60_000;

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t.close());

interface Caller {
  readonly accountId: string;
  readonly apiKey: string;
}

interface Sent {
  readonly id: number;
  readonly task: { id: string; status: string; result: { progress?: number } | null };
}

/** An open stream, read as it comes. */
class Stream {
  readonly response: Response;
  readonly events: Sent[] = [];
  readonly closed: Promise<void>;
  text = '';
  readonly #leaving: AbortController;

  constructor(response: Response, leaving: AbortController) {
    this.response = response;
    this.#leaving = leaving;
    this.closed = this.#read().catch(() => {});
  }

  static async open({ apiKey }: Caller, query = '', headers: Record<string, string> = {}): Promise<Stream> {
    const leaving = new AbortController();
    const response = await fetch(`${t.url}/api/ai-tasks/events${query}`, {
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      signal: leaving.signal,
    });
    return new Stream(response, leaving);
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of this.response.body!) {
      const text = decoder.decode(chunk as Uint8Array, { stream: true });
      this.text += text;
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const match = /^id: (\d+)\nevent: task\ndata: (.*)$/.exec(block);
        if (match !== null) this.events.push({ id: Number(match[1]), task: JSON.parse(match[2]!) });
      }
    }
  }

  /** Waits until an event is as wanted. */
  async until(wanted: (event: Sent) => boolean): Promise<Sent> {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await delay(20)) {
      const found = this.events.find(wanted);
      if (found !== undefined) return found;
    }
    throw new Error(
      `no such event among ${this.events.map(({ task }) => `${task.id} ${task.status}`).join()}`,
    );
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.closed;
  }
}

/** Creates a photo task, whose event is longer by some characters. */
async function newTask({ accountId }: Caller, length = 0): Promise<string> {
  const photo = await newPhoto(t.deps.database, accountId, 0);
  const parameters = { ...photo.parameters, name: 'x'.repeat(length) };
  const { task } = await createTask(t.deps.database, { ...photo, parameters });
  return task!.id;
}

/** Waits until an account has so many streams open. */
async function untilStreams({ accountId }: Caller, wanted: number): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await delay(50)) {
    const { rows } = await t.deps.database.pool.query(
      'select count(*)::int as open from event_streams where account_id = $1',
      [accountId],
    );
    if (rows[0].open === wanted) return;
  }
  throw new Error(`the account never had ${wanted} streams`);
}

async function cancelAll({ accountId }: Caller): Promise<void> {
  await t.deps.database.pool.query(
    `update tasks set status = 'CANCELLED', completed_at = now() where account_id = $1 and status = 'PENDING'`,
    [accountId],
  );
}

async function claim() {
  const task = await claimTask(t.deps.database, { lanes: ['short'], leaseMs: 600_000 });
  return { taskId: task!.id, leaseToken: task!.leaseToken };
}

/** Finishes the next task with an output whose file is stored. */
async function finishNext({ accountId }: Caller): Promise<{ taskId: string; objectKey: string }> {
  const lease = await claim();
  const output = await newOutput(t.deps.database, accountId, lease.taskId);
  const scratch = t.deps.storage.scratch.newPath('jpg');
  await writeFile(scratch, 'swapped');
  await t.deps.storage.put(output.objectKey, scratch);
  const outcome = { status: 'COMPLETED', result: resultWith(output) } as const;
  await finishTask(t.deps.database, lease, outcome, { inputRetentionMs: 0 });
  return { taskId: lease.taskId, objectKey: output.objectKey };
}

async function call(
  { apiKey }: Caller,
  path: string,
  method = 'GET',
  // The answers have many shapes; each test says which.
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<{ status: number; body: any }> {
  const response = await fetch(`${t.url}/api/ai-tasks${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return { status: response.status, body: await response.json() };
}

describe('the list', () => {
  test('has own tasks, newest first, page by page, without links', async () => {
    const [own, other] = [await t.newKey(), await t.newKey()];
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift(await newTask(own));
    await finishNext(own);
    const first = await call(own, '/list?limit=2');
    assert.equal(first.status, 200);
    assert.deepEqual(
      first.body.tasks.map((task: { id: string }) => task.id),
      ids.slice(0, 2),
    );
    const second = await call(own, `/list?limit=2&cursor=${first.body.nextCursor}`);
    assert.deepEqual([second.body.tasks.length, second.body.nextCursor], [1, null]);
    const [done] = second.body.tasks;
    assert.equal(done.status, 'COMPLETED');
    assert.equal(done.result.outputs.length, 1);
    assert.ok(!JSON.stringify(done).includes('signature='));
    const whole = (await call(own, `?taskId=${done.id}`)).body;
    delete whole.result.outputs[0].url;
    assert.deepEqual(done, whole);

    assert.deepEqual((await call(other, '/list')).body, { tasks: [], nextCursor: null });
    assert.equal((await call(own, '/list?status=COMPLETED')).body.tasks.length, 1);
    assert.equal((await call(own, '/list?taskType=VIDEO_SWAP')).body.tasks.length, 0);
    // The rest is claimed by no other test.
    for (const taskId of ids.slice(0, 2)) await cancelPhoto(own, taskId);
  });

  test('refuses what it does not know, naming it', async () => {
    const own = await t.newKey();
    for (const [query, sentence] of [
      ['limit=0', /^limit must be a whole number from 1 to 100\.$/],
      ['limit=101', /^limit must/],
      ['cursor=1', /^cursor is malformed\.$/],
      ['status=DONE', /^status must be one of PENDING, /],
      ['taskType=PHOTO', /^taskType must be one of IMAGE_SWAP, /],
      ['page=2', /^Unknown query parameter "page"\.$/],
      ['limit=1&limit=2', /^limit must be given once\.$/],
    ] as const) {
      const { status, body } = await call(own, `/list?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.error, sentence);
    }
    assert.equal((await fetch(`${t.url}/api/ai-tasks/list`)).status, 401);
  });
});

async function cancelPhoto({ accountId }: Caller, taskId: string): Promise<void> {
  const address = { accountId, taskId, interface: 'ai-tasks', type: 'IMAGE_SWAP' } as const;
  await cancelTask(t.deps.database, address, { inputRetentionMs: 0 });
}

describe('the stream of events', () => {
  test('tells every change of status and progress, as GET answers it', async () => {
    const [own, other] = [await t.newKey(), await t.newKey()];
    const waiting = await newTask(own);
    const stream = await Stream.open(own);
    const stranger = await Stream.open(other);
    assert.equal(stream.response.status, 200);
    assert.match(stream.response.headers.get('content-type')!, /^text\/event-stream/);
    assert.match(stream.response.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
    const first = await stream.until(({ task }) => task.id === waiting);
    assert.equal(first.task.status, 'PENDING');
    assert.deepEqual(first.task, (await call(own, `?taskId=${waiting}`)).body);

    const lease = await claim();
    await stream.until(({ task }) => task.id === waiting && task.status === 'PROCESSING');
    await heartbeat(t.deps.database, { ...lease, leaseMs: 600_000, progress: 0.5 });
    await stream.until(({ task }) => task.id === waiting && task.result?.progress === 0.5);
    const failure = { status: 'FAILED', code: 'NO_FACE_DETECTED', message: 'There is no face.' } as const;
    await finishTask(t.deps.database, lease, failure, { inputRetentionMs: 0 });
    const last = await stream.until(({ task }) => task.status === 'FAILED');
    assert.deepEqual(last.task, (await call(own, `?taskId=${waiting}`)).body);

    const later = await newTask(own);
    await stream.until(({ task }) => task.id === later);
    await cancelPhoto(own, later);
    await stream.until(({ task }) => task.id === later && task.status === 'CANCELLED');
    const ids = stream.events.map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    await stream.leave();
    await stranger.leave();
    assert.deepEqual(stranger.events, []);
  });

  test('resumes after the last event, and begins again after five minutes', async () => {
    const own = await t.newKey();
    await newTask(own);
    const stream = await Stream.open(own);
    const { id } = await stream.until(() => true);
    await stream.leave();
    const { taskId } = await finishNext(own);
    const resumed = await Stream.open(own, '', { 'last-event-id': String(id) });
    const missed = await resumed.until(({ task }) => task.id === taskId);
    assert.equal(missed.task.status, 'COMPLETED');
    await resumed.leave();

    const waiting = await newTask(own);
    const late = await Stream.open(own, '', { 'last-event-id': String(id - 301_000) });
    await late.until(({ task }) => task.id === waiting);
    assert.ok(late.events.every(({ task }) => task.id === waiting));
    await late.leave();
    await cancelPhoto(own, waiting);
  });

  test('tells an end that was begun before the client came back, and committed after', async () => {
    const own = await t.newKey();
    const ended = await newTask(own);
    // So old that no look reads it for being new.
    const { pool } = t.deps.database;
    await pool.query(`update tasks set created_at = now() - interval '1 min' where id = $1`, [ended]);
    const stream = await Stream.open(own);
    const { id } = await stream.until(() => true);
    await stream.leave();
    await untilStreams(own, 0);
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`update tasks set status = 'CANCELLED', completed_at = now() where id = $1`, [ended]);
    const resumed = await Stream.open(own, '', { 'last-event-id': String(id) });
    const other = await newTask(own);
    await resumed.until(({ task }) => task.id === other);
    await client.query('commit');
    client.release();
    const told = await resumed.until(({ task }) => task.id === ended && task.status !== 'PENDING');
    assert.equal(told.task.status, 'CANCELLED');
    await resumed.leave();
    await cancelPhoto(own, other);
  });

  test('tells a new client of what ends between its connection and the first read for it', async () => {
    const own = await t.newKey();
    const [before, after] = [await newTask(own), await newTask(own)];
    await cancelPhoto(own, before);
    const client = await t.deps.database.pool.connect();
    await client.query('begin');
    await client.query('lock table tasks in access exclusive mode');
    const stream = await Stream.open(own);
    await client.query(
      `update tasks set status = 'CANCELLED', completed_at = clock_timestamp() where id = $1`,
      [after],
    );
    await client.query('commit');
    client.release();
    const { task } = await stream.until(() => true);
    assert.deepEqual([task.id, task.status], [after, 'CANCELLED']);
    await stream.leave();
  });

  test('follows one task alone, and knows no other', async () => {
    const [own, other] = [await t.newKey(), await t.newKey()];
    const [one, two] = [await newTask(own), await newTask(own)];
    const stream = await Stream.open(own, `?taskId=${one.toUpperCase()}`);
    await stream.until(({ task }) => task.id === one);
    await cancelPhoto(own, two);
    await cancelPhoto(own, one);
    await stream.until(({ task }) => task.status === 'CANCELLED');
    assert.ok(stream.events.every(({ task }) => task.id === one));
    await stream.leave();
    assert.equal((await Stream.open(other, `?taskId=${one}`)).response.status, 404);
    assert.equal((await Stream.open(own, '?taskId=1')).response.status, 400);
    assert.equal((await Stream.open(own, '?id=1')).response.status, 400);
  });

  test('ends when its key does, and when the account is suspended', async () => {
    const own = await t.newKey();
    const [key] = await listApiKeys(t.deps.database, own.accountId);
    const stream = await Stream.open(own);
    await revokeApiKey(t.deps.database.pool, own.accountId, key!.id);
    await stream.closed;
    assert.match(stream.text, /retry: 1000\n\n$/);
    assert.equal((await Stream.open(own)).response.status, 401);

    const other = await t.newKey();
    const suspended = await Stream.open(other);
    await setSuspended(t.deps.database, other.accountId, true);
    await suspended.closed;
  });

  test('tells of more tasks than are read at a time, and resumes in the midst of them', async () => {
    const own = await t.newKey();
    const ids: string[] = [];
    for (let i = 0; i < 120; i++) ids.push(await newTask(own, 8000));
    const stream = await Stream.open(own);
    const told = await stream.until(
      () => new Set(stream.events.map(({ task }) => task.id)).size === ids.length,
    );
    assert.ok(told);
    await stream.leave();
    assert.deepEqual(
      stream.events.map(({ task }) => task.id),
      ids,
    );
    const eventIds = stream.events.map(({ id }) => id);
    assert.deepEqual(
      eventIds,
      eventIds.toSorted((a, b) => a - b),
    );

    // After the 60th event a client does not know of the last 60 tasks, after the last of all.
    const { taskId } = await finishNext(own);
    const midst = await Stream.open(own, '', { 'last-event-id': String(eventIds[59]) });
    await midst.until(({ task }) => task.id === ids.at(-1));
    await midst.until(({ task }) => task.id === taskId && task.status === 'COMPLETED');
    await midst.leave();
    await t.deps.database.pool.query(
      `update tasks set created_at = created_at - interval '1 hour' where account_id = $1 and status = 'PENDING'`,
      [own.accountId],
    );
    const end = await Stream.open(own, '', { 'last-event-id': String(eventIds.at(-1)) });
    await end.until(({ task }) => task.id === taskId);
    const added = await newTask(own);
    await end.until(({ task }) => task.id === added);
    await end.leave();
    assert.deepEqual(
      end.events.map(({ task }) => task.id),
      [taskId, added],
    );
    await cancelAll(own);
  });

  test('an id of the future hides nothing', async () => {
    const own = await t.newKey();
    const waiting = await newTask(own);
    const stream = await Stream.open(own, '', { 'last-event-id': String(Date.now() + 60_000) });
    await stream.until(({ task }) => task.id === waiting);
    await stream.leave();
    await cancelPhoto(own, waiting);
  });

  test('a client that never reads, and whose key ends, is let go and harms nobody', async () => {
    const [own, other] = [await t.newKey(), await t.newKey()];
    // More than the kernel takes for a client that does not read.
    for (let i = 0; i < 250; i++) await newTask(own, 40_000);
    const socket = connect(t.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `GET /api/ai-tasks/events HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${own.apiKey}\r\n\r\n`,
    );
    const stranger = await Stream.open(other);
    const told = await newTask(other);
    await stranger.until(({ task }) => task.id === told);
    await untilStreams(own, 1);
    const [key] = await listApiKeys(t.deps.database, own.accountId);
    await revokeApiKey(t.deps.database.pool, own.accountId, key!.id);
    await untilStreams(own, 0);
    await cancelPhoto(other, told);
    await stranger.until(({ task }) => task.id === told && task.status === 'CANCELLED');
    await stranger.leave();
    socket.destroy();
    await cancelAll(own);
  });

  test('keys end streams also while the tasks cannot be read', async () => {
    const own = await t.newKey();
    const stream = await Stream.open(own);
    const blocker = await t.deps.database.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table tasks in access exclusive mode');
    const [key] = await listApiKeys(t.deps.database, own.accountId);
    await revokeApiKey(t.deps.database.pool, own.accountId, key!.id);
    await stream.closed;
    await blocker.query('rollback');
    blocker.release();
    assert.match(stream.text, /retry: 1000\n\n$/);
  });

  test('is open ten times an account at most', async () => {
    const own = await t.newKey();
    const streams = await Promise.all(Array.from({ length: 12 }, () => Stream.open(own)));
    const refused = streams.filter(({ response }) => response.status === 429);
    assert.equal(refused.length, 2);
    await refused[0]!.closed;
    assert.match(refused[0]!.text, /At most 10 streams of events of an account/);
    for (const stream of streams) await stream.leave();
    // Places are given back a moment after a client has gone.
    let again = await Stream.open(own);
    while (again.response.status === 429) again = await Stream.open(own);
    assert.equal(again.response.status, 200);
    await again.leave();
  });
});

describe('deleting files', () => {
  test('a finished task loses its outputs at once, and a second time there is nothing', async () => {
    const own = await t.newKey();
    await newTask(own);
    const { taskId, objectKey } = await finishNext(own);
    const [output] = (await call(own, `?taskId=${taskId}`)).body.result.outputs;
    const { pathname, search } = new URL(output.url);
    assert.equal((await fetch(t.url + pathname + search)).status, 200);
    const deletion = `?taskId=${taskId}&files=true`;
    assert.deepEqual(await call(own, deletion, 'DELETE'), {
      status: 200,
      body: { id: taskId, deletedFiles: 1 },
    });
    assert.equal((await fetch(t.url + pathname + search)).status, 410);
    assert.equal(await t.deps.storage.sizeBytes(objectKey), null);
    assert.deepEqual((await call(own, deletion, 'DELETE')).body, { id: taskId, deletedFiles: 0 });
    const { status, result } = (await call(own, `?taskId=${taskId}`)).body;
    assert.equal(status, 'COMPLETED');
    const { url: _url, expiresAt: _expiresAt, ...rest } = output;
    const [{ deletedAt, ...kept }] = result.outputs;
    assert.deepEqual(kept, rest);
    assert.ok(Math.abs(Date.parse(deletedAt) - Date.now()) < 600_000);
    const [listed] = (await call(own, '/list')).body.tasks[0].result.outputs;
    assert.deepEqual(listed, { ...rest, deletedAt });
    const stream = await Stream.open(own, `?taskId=${taskId}`);
    assert.deepEqual((await stream.until(() => true)).task.result, result);
    await stream.leave();

    const other = await t.newKey();
    assert.equal((await call(other, deletion, 'DELETE')).status, 404);
    assert.equal((await call(own, `/video${deletion}`, 'DELETE')).status, 404);
  });

  test('an unfinished task is cancelled first, and files is true or left out', async () => {
    const own = await t.newKey();
    const taskId = await newTask(own);
    const refused = await call(own, `?taskId=${taskId}&files=true`, 'DELETE');
    assert.equal(refused.status, 409);
    assert.match(refused.body.error, /^The task is PENDING: cancel it before its files are deleted\.$/);
    const malformed = await call(own, `?taskId=${taskId}&files=yes`, 'DELETE');
    assert.deepEqual(malformed, {
      status: 400,
      body: {
        error: 'The query parameter files must be true or left out.',
        code: 'INVALID_REQUEST',
        field: 'files',
      },
    });
    assert.equal((await call(own, `?taskId=${taskId}`, 'DELETE')).body.status, 'CANCELLED');
    assert.deepEqual((await call(own, `?taskId=${taskId}&files=true`, 'DELETE')).body, {
      id: taskId,
      deletedFiles: 0,
    });
  });
});

test('streams end when the service shuts down', async () => {
  const own = await t.newKey();
  const stream = await Stream.open(own);
  assert.equal(stream.response.status, 200);
  await t.app.close();
  await stream.closed;
  assert.match(stream.text, /retry: 1000\n\n$/);
});
