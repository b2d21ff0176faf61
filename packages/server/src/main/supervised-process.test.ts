import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { SupervisedProcess } from './supervised-process.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-supervised-'));
after(() => rm(dir, { recursive: true, force: true }));

interface Supervised {
  readonly service: SupervisedProcess;
  readonly lines: () => Promise<string[]>;
  readonly restarts: string[];
}

let count = 0;

function supervise(context: TestContext, script: string): Supervised {
  const logFile = path.join(dir, `log-${count++}`);
  const restarts: string[] = [];
  const service = new SupervisedProcess({
    name: 'scripted',
    script: path.join(import.meta.dirname, 'testing/scripted-service.ts'),
    env: { ...process.env, SCRIPT: script, SCRIPT_LOG: logFile },
    news: [
      Promise.resolve({
        type: 'database',
        url: 'postgres://somewhere',
        directUrl: 'postgres://somewhere',
        isPooled: false,
        isOwn: true,
        port: 3000,
        publicUrl: 'http://here',
      }),
    ],
    log: (line) => restarts.push(line),
  });
  context.after(() => service.kill());
  const lines = async (): Promise<string[]> => (await readFile(logFile, 'utf8')).split('\n').filter(Boolean);
  return { service, lines, restarts };
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + 60_000;
  while (!(await condition())) {
    assert.ok(performance.now() < endMs, 'the condition was not met in time');
    await delay(20);
  }
}

test('a process is told the database, and leaves by itself when asked to', async (context) => {
  const { service, lines, restarts } = supervise(context, 'normal');
  await service.whenReady();
  await service.stop(60_000);
  assert.deepEqual(await lines(), ['database postgres://somewhere', 'stopped']);
  assert.deepEqual(restarts, []);
});

test('a process killed by whatever means is started again and told the database again', async (context) => {
  const { service, lines, restarts } = supervise(context, 'normal');
  await service.whenReady();
  process.kill(service.pid ?? 0, 'SIGKILL');
  await until(async () => (await lines()).length === 2);
  assert.equal(restarts.length, 1);
  assert.match(restarts[0]!, /scripted process ended \(SIGKILL\)/);
});

test('a process that does not leave in time is killed', async (context) => {
  const { service } = supervise(context, 'never-leave');
  await service.whenReady();
  const pid = service.pid ?? 0;
  await service.stop(50);
  assert.throws(() => process.kill(pid, 0));
});

test('a process that cannot start is not tried for ever: whoever started it is told', async (context) => {
  const { service } = supervise(context, 'fail-at-start');
  await assert.rejects(service.whenReady(), { name: 'StartError', message: /^Error: nothing works\n/ });
  const { service: silent } = supervise(context, 'exit-at-start');
  const message = 'The scripted process could not start (code 3).';
  await assert.rejects(silent.whenReady(), { name: 'StartError', message });
});
