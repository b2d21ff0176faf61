/**
 * Runs the commands of README and guide as they are written, in one folder, against one service,
 * and compares what they answer with what the pages say.
 */
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { makeDataDir, removeDataDir, type Service, startService, type TestAccount } from '../service.ts';
import { writeSamples } from './samples.ts';
import { patternOf, readFiles, readSteps, type Step } from './steps.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const GUIDE = path.join(ROOT, 'docs/guide');
/** Pages whose commands run here, in this order: later ones use what earlier ones made. */
const RUN = [
  'photos.md',
  'client.md',
  'npm-client.md',
  'python-client.md',
  'n8n.md',
  'faces.md',
  'batches.md',
  'groups.md',
  'videos.md',
  'follow.md',
  'verify.md',
  'webhooks.md',
  'blocklist.md',
  'accounts.md',
  'watch.md',
  'keys.md',
  'audit.md',
  'backup.md',
] as const;
/** Pages about other machines, and the tests that run what they say. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'containers.md': 'scripts/deploy',
  'systemd.md': 'scripts/deploy',
  'database-and-bucket.md': 'acceptance/reliability/pgbouncer.test.ts',
  'several-machines.md': 'acceptance/scale/scale.test.ts',
  'one-machine.md': 'acceptance/reliability/npm-start.test.ts',
  'network.md': 'packages/server/src/net',
  'troubleshooting.md': 'packages/server/src/main',
  'own-networks.md': 'packages/cli/src/models.test.ts',
};
/** Commands of README that other tests run: acceptance/reliability/npm-start.test.ts. */
const STARTS = new Set(['npm ci && npm start', 'guise ready at http://127.0.0.1:3000']);
/** Longest time that a task of a page may take. */
const TASK_MS = 120_000;
/** Time for which a stream of events is listened to. */
const LISTEN_SECONDS = 6;

const missing = ['curl', 'openssl'].find((program) => spawnSync(program, ['--version']).error !== undefined);
const hasPython = spawnSync('python3', ['--version']).error === undefined;
const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const hasVideo = (await loadNodeAv()) !== null;
const skip =
  missing !== undefined ? `${missing} is not installed` : !hasVideo ? 'node-av does not load' : false;

test('every page with commands is run, here or elsewhere', async () => {
  const pages = await readdir(GUIDE);
  const withCommands = [];
  for (const page of pages)
    if (readSteps(await readFile(path.join(GUIDE, page), 'utf8')).length > 0) withCommands.push(page);
  assert.deepEqual(withCommands.toSorted(), [...RUN, ...Object.keys(RUN_ELSEWHERE)].toSorted());
});

test('the commands of README and guide do and answer what they say', { skip }, async (t) => {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { GUISE_ALLOW_PRIVATE_URLS: '1' } });
  after(async () => {
    await service.stop();
    await removeDataDir(dataDir);
  });
  const reader = await Reader.begin(service, dataDir);
  after(() => reader.end());
  const pages = [
    path.join(ROOT, 'README.md'),
    ...RUN.map((page) => path.join(GUIDE, page)),
    path.join(ROOT, 'docs/privacy.md'),
  ];
  for (const page of pages) {
    await t.test(path.relative(ROOT, page), async () => {
      const text = await readFile(page, 'utf8');
      await reader.beginPage(text);
      for (const step of readSteps(text)) {
        if (/(^| )python3 /.test(step.command) && !hasPython)
          t.diagnostic(`python3 is not installed, so this was not run: ${step.command}`);
        else if (/ pip /.test(step.command) && !hasPip)
          t.diagnostic(`pip is not installed, so this was not run: ${step.command}`);
        else await reader.run(step);
      }
      await reader.seeTasksEnd();
    });
  }
});

/** Somebody who types what the pages say, into one terminal. */
class Reader {
  readonly #service: Service;
  readonly #account: TestAccount;
  readonly #folder: string;
  readonly #media: { readonly origin: string; close(): void };
  readonly #env: NodeJS.ProcessEnv;
  /** What the next command means by the id and the link of the one before. */
  #taskId = '';
  #jobId = '';
  #faceId = '';
  #link = '';
  #eventId = '';
  /** Files that the commands of this page have written with `-o`. */
  #written = new Set<string>();

  private constructor(
    service: Service,
    account: TestAccount,
    folder: string,
    media: { readonly origin: string; close(): void },
    env: NodeJS.ProcessEnv,
  ) {
    this.#service = service;
    this.#account = account;
    this.#folder = folder;
    this.#media = media;
    this.#env = env;
  }

  static async begin(service: Service, dataDir: string): Promise<Reader> {
    const account = await service.createAccount({
      email: 'ann@example.com',
      plan: 'enterprise',
      credits: 1000,
    });
    const folder = await mkdtemp(path.join(tmpdir(), 'guise-documents-'));
    const { face, body } = await readSampleFaces();
    await writeSamples(folder, face, body);
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    const guise = path.join(ROOT, 'packages/cli/bin/guise.cjs');
    const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${guise}" "$@"\n`;
    await writeFile(path.join(bin, 'npx'), npx, { mode: 0o755 });
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      GUISE_DATA_DIR: dataDir,
      KEY: account.apiKey,
      PYTHONPATH: hasPip ? path.join(folder, 'python') : path.join(ROOT, 'clients/python'),
    };
    return new Reader(service, account, folder, await serveFolder(folder), env);
  }

  async end(): Promise<void> {
    this.#media.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Saves the programs of a page, and forgets which files other pages wrote. */
  async beginPage(page: string): Promise<void> {
    this.#written = new Set();
    for (const { name, text } of readFiles(page)) {
      const here = text.replaceAll('http://127.0.0.1:3000', this.#service.url);
      await writeFile(path.join(this.#folder, name), here);
    }
  }

  async run(step: Step): Promise<void> {
    if (STARTS.has(step.command) || step.command === 'KEY=gsk_...') return;
    if (step.command.includes('evt_...')) this.#eventId = await this.#newEvent();
    const command = this.#asTyped(step.command);
    if (command.startsWith('curl -N')) return this.#listen(command, step);
    if (command.startsWith('WEBHOOK_SECRET=')) return this.#receive(command, step);
    const until = Date.now() + TASK_MS;
    const wanted = step.answer === null ? null : patternOf(asKnown(step.answer));
    for (;;) {
      const answer = await this.#type(command);
      this.#remember(answer);
      // A page shows the end of a task: who reads it asks again until then.
      const showsEnd = /"status":"completed"/i.test(step.answer ?? '');
      const isUnderWay = showsEnd && /"status":"(pending|queued|processing)"/i.test(answer);
      if (isUnderWay && Date.now() < until) {
        await this.seeTasksEnd();
        // It may be a job of the other interface, which no list shows.
        await delay(200);
        continue;
      }
      if (wanted !== null) assert.match(answer, wanted, command);
      assert.doesNotMatch(answer, /^\{"error"|"success":false/, command);
      return;
    }
  }

  /** Waits until all tasks so far have ended, and well. */
  async seeTasksEnd(): Promise<void> {
    const until = Date.now() + TASK_MS;
    for (;;) {
      const answer = await fetch(`${this.#service.url}/api/ai-tasks/list?limit=100`, {
        headers: { authorization: `Bearer ${this.#account.apiKey}` },
      });
      const list = await answer.text();
      const statuses = [...list.matchAll(/"status":"([A-Z]+)"/g)].map(([, status]) => status!);
      if (statuses.every((status) => status === 'COMPLETED')) return;
      const isUnderWay = statuses.some((status) => status === 'PENDING' || status === 'PROCESSING');
      assert.ok(isUnderWay && Date.now() < until, list);
      await delay(200);
    }
  }

  /** Puts what the reader knows where a page has a stand-in. */
  #asTyped(command: string): string {
    return command
      .replaceAll(/"http:\/\/127\.0\.0\.1:3000\/files\/\.\.\."/g, `"${this.#link}"`)
      .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):3000/g, this.#service.url)
      .replaceAll('https://example.com', this.#media.origin)
      .replaceAll('5b0c...', this.#taskId)
      .replaceAll('f3a1...', this.#faceId)
      .replaceAll('job_...', this.#jobId)
      .replaceAll('evt_...', this.#eventId)
      .replaceAll('--email E ', `--email ${this.#account.email} `)
      .replaceAll('CIDR,CIDR', '127.0.0.0/8,10.0.0.0/8')
      .replaceAll(
        'cd guise && npm run pack:client',
        `cd ${ROOT} && npm run pack:client -- ${this.#folder}/guise/dist`,
      )
      .replaceAll('npm install ', 'npm install --offline ')
      .replaceAll(
        'pip install ./guise',
        `pip install --quiet --no-index --target ${this.#folder}/python ${ROOT}`,
      )
      .replaceAll('/backups/', `${this.#folder}/backup-`)
      .replaceAll('=/new ', `=${this.#folder}/new `)
      .replaceAll(/guise swap .* -o (\S+)/g, (swap, file: string) => this.#replacing(swap, file));
  }

  /** Adds `--force` for a file that another page may have made: each page is read by itself. */
  #replacing(swap: string, file: string): string {
    if (this.#written.has(file)) return swap;
    this.#written.add(file);
    return `${swap} --force`;
  }

  async #type(command: string): Promise<string> {
    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      cwd: this.#folder,
      env: this.#env,
      maxBuffer: 1e8,
      timeout: TASK_MS,
    });
    return stdout;
  }

  #remember(answer: string): void {
    this.#taskId = /"taskId":"([^"]+)"/.exec(answer)?.[1] ?? this.#taskId;
    this.#jobId = /"job_id":"([^"]+)"/.exec(answer)?.[1] ?? this.#jobId;
    this.#faceId = /"id":"([^"]+)","name"/.exec(answer)?.[1] ?? this.#faceId;
    this.#link = /"url":"([^"]+)"/.exec(answer)?.[1] ?? this.#link;
  }

  /** Listens while a task is made: a stream of events has no end. */
  async #listen(command: string, { answer }: Step): Promise<void> {
    const heard = this.#type(`timeout ${LISTEN_SECONDS} ${command} || true`);
    await delay(1000);
    const photo = `curl -s ${this.#service.url}/api/ai-tasks -H "Authorization: Bearer $KEY"`;
    await this.#type(`${photo} -F sourceImage=@face.jpg -F targetImage=@scene.jpg`);
    const shown = asKnown(answer!)
      .replace(/^id: \d+/, 'id: ...')
      .replace(/"progress":[\d.]+/, '"progress":...');
    assert.match(await heard, patternOf(shown.replace('event:', ' event:').replace('data:', ' data:')));
  }

  /** Runs a receiver of webhooks until it has printed its answer; a forged event is refused. */
  async #receive(command: string, { answer }: Step): Promise<void> {
    const account = await this.#type(`npx guise account show --email ${this.#account.email} --json`);
    const secret = /whsec_[^"]+/.exec(account)![0];
    const receiver = spawn('bash', ['-c', `exec env ${command.replace('whsec_...', secret)}`], {
      cwd: this.#folder,
      env: { ...this.#env, RECEIVER_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let printed = '';
      receiver.stdout.on('data', (text: Buffer) => (printed += text.toString()));
      const until = Date.now() + TASK_MS;
      const seeing = async (pattern: RegExp): Promise<string> => {
        while (!pattern.test(printed)) {
          assert.ok(Date.now() < until, printed);
          await delay(50);
        }
        return pattern.exec(printed)![0];
      };
      const url = await seeing(/http:\S+(?=\n)/);
      const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
      const headers = { ...forged, 'webhook-signature': 'v1,Zm9yZ2Vk' };
      assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 401);
      await this.#callWebhook(url);
      await seeing(patternOf(answer!));
    } finally {
      receiver.kill();
    }
  }

  /** Makes a job that calls a webhook, and returns the event's id. */
  async #newEvent(): Promise<string> {
    await this.#callWebhook(`${this.#media.origin}/told`);
    const until = Date.now() + TASK_MS;
    for (;;) {
      const list = await this.#type(`npx guise webhook list --email ${this.#account.email} --json`);
      const id = /evt_[A-Za-z0-9_-]+/.exec(list)?.[0];
      if (id !== undefined) return id;
      assert.ok(Date.now() < until, list);
      await delay(200);
    }
  }

  /** Makes a job that calls a webhook. */
  async #callWebhook(url: string): Promise<void> {
    const body = JSON.stringify({
      source_image: `${this.#media.origin}/face.jpg`,
      target_images: [`${this.#media.origin}/scene.jpg`],
      webhook_url: url,
    });
    const made = await fetch(`${this.#service.url}/v1/batch-swap`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#account.apiKey}`, 'content-type': 'application/json' },
      body,
    });
    assert.ok(made.ok, await made.text());
  }
}

/** Leaves out of an answer what is another one on every machine. */
function asKnown(answer: string): string {
  return answer
    .replaceAll(/http:\/\/127\.0\.0\.1:3000/g, '...')
    .replaceAll('5b0c', '')
    .replaceAll(/signer":"[^"]*"/g, 'signer":"..."')
    .replaceAll(', ...', '...');
}

/** Serves the files of a folder, and takes what is posted. */
async function serveFolder(folder: string): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET') return response.writeHead(204).end();
    return response.end(await readFile(path.join(folder, path.basename(request.url!))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
