/**
 * Moderation (docs/guide/moderation.md), as a service of the operator sees it: it opens the links
 * that it gets before it answers.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { Webhook } from 'standardwebhooks';
import { Client, photo } from '../ai-tasks/client.ts';
import { makeDataDir, removeDataDir, startService } from '../service.ts';
import { until } from './processes.ts';
import { assertV1Error, V1Client } from '../v1/client.ts';

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

interface Question {
  readonly taskId: string;
  readonly interface: string;
  readonly inputs: readonly { readonly url: string }[];
}

const { face, body } = await readSampleFaces();
const questions: Question[] = [];
/** Bytes of the inputs of each question. */
const opened: Buffer[][] = [];
let decision: object = { decision: 'allow' };
const moderation = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const headers = request.headers as Record<string, string>;
  const question = new Webhook(SECRET).verify(Buffer.concat(parts), headers) as Question;
  questions.push(question);
  const answers = await Promise.all(question.inputs.map(({ url }) => fetch(url)));
  opened.push(
    await Promise.all(answers.map(async (answer) => Buffer.from(new Uint8Array(await answer.arrayBuffer())))),
  );
  response.writeHead(200).end(JSON.stringify(decision));
});
await new Promise<void>((resolve) => moderation.listen(0, '127.0.0.1', resolve));
const dataDir = await makeDataDir();
const service = await startService({
  dataDir,
  env: {
    GUISE_MODERATION_URL: `http://127.0.0.1:${(moderation.address() as AddressInfo).port}/ask`,
    GUISE_MODERATION_SECRET: SECRET,
    GUISE_MODERATION_TIMEOUT_SECONDS: '60',
  },
});
after(async () => {
  await service.stop();
  await removeDataDir(dataDir);
  moderation.close();
});

test('a task is done or refused as the moderation says, which sees its very files', async () => {
  const account = await service.createAccount({ email: 'asked@example.com', credits: 100 });
  const client = new Client(service.url, account);
  const v1 = new V1Client(service.url, account);

  const allowed = await client.run(photo(face, body));
  assert.equal(allowed.status, 'COMPLETED', JSON.stringify(allowed.result));
  decision = { decision: 'block', reason: 'Not here.' };
  const blocked = await client.run(photo(face, body));
  const message = "The operator's moderation refused this task. Not here.";
  assert.equal(blocked.status, 'FAILED');
  assert.deepEqual(blocked.result.error, { code: 'MODERATION_REFUSED', message });
  assert.equal(blocked.costCredits, 0);
  const media = { source_image: face.toString('base64'), target_image: body.toString('base64') };
  assertV1Error(
    await v1.post('image-swap', media),
    400,
    'MODERATION_REFUSED',
    /^The operator's moderation refused this task\. Not here\.$/,
  );

  assert.deepEqual(
    questions.map((question) => question.interface),
    ['ai-tasks', 'ai-tasks', 'v1'],
  );
  assert.deepEqual(
    questions.slice(0, 2).map(({ taskId }) => taskId),
    [allowed.id, blocked.id],
  );
  for (const [source, target] of opened) {
    assert.ok(source!.equals(face));
    assert.ok(target!.equals(body));
  }
  const { url } = questions[1]!.inputs[0]!;
  await until('the upload of an ended task is gone', async () => (await fetch(url)).status === 410);
});
