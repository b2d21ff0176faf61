import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import {
  creditsOf,
  files,
  hasVideo,
  newAccount,
  pageFolder,
  receiveWebhooks,
  service,
  startLossyApi,
  webhookSecretOf,
} from './rig.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const skip = spawnSync('python3', ['--version']).error === undefined ? false : 'python3 is not installed';

const account = await newAccount();
const plain = path.join(pageFolder, 'plain.png');
await sharp({ create: { width: 99, height: 99, channels: 3, background: '#888' } }).toFile(plain);

/** Runs a function of python_client.py, and returns what it prints. */
async function python(scenario: string, given: object = {}): Promise<string> {
  const all = { url: service.url, key: account.apiKey, ...files, plain, ...given };
  const running = promisify(execFile)(
    'python3',
    [path.join(import.meta.dirname, 'python_client.py'), scenario],
    { env: { ...process.env, PYTHONPATH: path.join(ROOT, 'clients/python') } },
  );
  running.child.stdin!.end(JSON.stringify(all));
  const { stdout } = await running;
  return stdout;
}

async function dataUri(file: string): Promise<string> {
  return `data:image/jpeg;base64,${await readFile(file, 'base64')}`;
}

test(
  'the Python client quotes, swaps, waits for, downloads, verifies and deletes a photo',
  { skip },
  async () => void (await python('photo')),
);

test(
  'the Python client swaps a photo with asyncio, and a cancelled wait ends at once',
  { skip },
  async () => void (await python('in_async')),
);

test(
  'the Python client swaps a group, a batch and a saved face',
  { skip },
  async () => void (await python('group')),
);

test(
  'the Python client swaps a film of two people',
  { skip: skip || !hasVideo },
  async () => void (await python('film')),
);

test(
  'the Python client raises what is wrong with a form and a task',
  { skip },
  async () => void (await python('failures')),
);

test('the Python client makes a job of /v1 and knows its webhook', { skip }, async (context) => {
  const receiver = await receiveWebhooks();
  context.after(() => receiver.close());
  const body = {
    source_image: await dataUri(files.face),
    target_images: [await dataUri(files.scene)],
    webhook_url: receiver.url,
  };
  const { job_id: job } = JSON.parse(await python('job', { body })) as { job_id: string };
  const event = JSON.parse(
    await python('webhook', { secret: await webhookSecretOf(account), ...(await receiver.next) }),
  ) as { event: string; job_id: string };
  assert.deepEqual([event.event, event.job_id], ['batch_swap.completed', job]);
});

test(
  'an API that is killed with its answer costs a Python program nothing twice',
  { skip },
  async (context) => {
    const api = await startLossyApi();
    context.after(() => api.close());
    const own = await newAccount();
    await python('lost', { url: api.url, key: own.apiKey });
    await api.lost;
    assert.deepEqual(await creditsOf(own), { available: 197, held: 0 });
  },
);
