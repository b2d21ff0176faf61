/**
 * Completion webhooks (docs/spec/v1#events, docs/decisions/0010), as a client's endpoint sees them.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { batchCompletedEventSchema, videoCompletedEventSchema } from '@guise/contract/v1/webhook-schemas.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { startReceiver } from '@guise/server/webhooks/testing/receiver.ts';
import { Webhook } from 'standardwebhooks';
import { Value } from 'typebox/value';
import { V1Client } from './client.ts';
import { makeFaceClip } from './face-clip.ts';
import { service } from './setup.ts';

const EMAIL = 'hooks@example.com';
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const { face, body } = await readSampleFaces();
const av = await loadNodeAv();
const receiver = await startReceiver();
after(() => receiver.close());
const client = new V1Client(service.url, await service.createAccount({ email: EMAIL, plan: 'enterprise' }));
const { webhookSecret } = JSON.parse(await service.guise('account', 'show', '--email', EMAIL, '--json'));

/** Posts the job and waits for what its endpoint is told. */
async function told(path: string, json: object, meanwhile?: (jobId: string) => Promise<void>) {
  const before = receiver.requests.length;
  const accepted = await client.post(path, { ...json, webhook_url: `${receiver.origin}/told` });
  assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
  await meanwhile?.(accepted.body.job_id);
  await receiver.received(before + 1);
  const { headers, body: bytes } = receiver.requests[before]!;
  const event = new Webhook(webhookSecret).verify(bytes, headers as Record<string, string>) as Body;
  assert.equal(event.job_id, accepted.body.job_id);
  const status = await client.status(event.job_id);
  return { event, job: status.body };
}

async function assertLink(url: string, contentType: string): Promise<void> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), contentType);
  await response.arrayBuffer();
}

test('a batch: the batch completed response plus `event`, failed items included', async () => {
  const { event, job } = await told('batch-swap', {
    source_image: face.toString('base64'),
    target_images: [`${service.url}/livez`, body.toString('base64')],
  });
  assert(Value.Check(batchCompletedEventSchema, event), JSON.stringify(event));
  const { event: name, ...response } = event;
  const { type: _type, progress: _progress, ...completed } = job;
  assert.equal(name, 'batch_swap.completed');
  assert.deepEqual(response, completed);
  assert.deepEqual([event.total_images, event.completed, event.failed, event.credits_used], [2, 1, 1, 3]);
  assert.equal(event.results[0].success, false);
  const [, delivered] = event.results as Body[];
  await assertLink(delivered.output_url, 'image/png');
});

test('a video', { skip: av === null && 'node-av is not installed' }, async () => {
  const clip = await makeFaceClip(av!, face);
  const { event, job } = await told('video-swap', {
    source_image: face.toString('base64'),
    target_video: clip.toString('base64'),
  });
  assert(Value.Check(videoCompletedEventSchema, event), JSON.stringify(event));
  for (const [name, value] of Object.entries(event)) {
    if (name !== 'event') assert.deepEqual(value, job[name], name);
  }
  assert.equal(event.event, 'video_swap.completed');
  await assertLink(event.output_url, 'video/mp4');
});

test('a batch of which nothing succeeds is told as failed', async () => {
  const { event, job } = await told('batch-swap', {
    source_image: face.toString('base64'),
    target_images: [`${service.url}/livez`],
  });
  assert.deepEqual(event, {
    event: 'batch_swap.failed',
    job_id: job.job_id,
    status: 'failed',
    error: job.error,
    message: job.message,
  });
});

test('a cancelled batch is told as failed, with CANCELLED', async () => {
  const { event } = await told(
    'batch-swap',
    {
      source_image: face.toString('base64'),
      target_images: Array.from({ length: 20 }, () => body.toString('base64')),
    },
    async (jobId) => assert.equal((await client.cancel(jobId)).status, 200),
  );
  assert.deepEqual([event.event, event.error], ['batch_swap.failed', 'CANCELLED']);
});

test('without webhook_url nothing is told', async () => {
  const before = JSON.parse(await service.guise('webhook', 'list', '--email', EMAIL, '--json')).deliveries;
  const accepted = await client.post('batch-swap', {
    source_image: face.toString('base64'),
    target_images: [body.toString('base64')],
  });
  assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
  const { event } = await told('batch-swap', {
    source_image: face.toString('base64'),
    target_images: [body.toString('base64')],
  });
  const { deliveries } = JSON.parse(await service.guise('webhook', 'list', '--email', EMAIL, '--json'));
  assert.equal(deliveries.length, before.length + 1);
  assert.equal(deliveries[0].jobId, event.job_id);
});
