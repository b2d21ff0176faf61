/**
 * An endpoint that is down while the whole service dies: it gets the event, one and the same, once
 * it is back.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { startReceiver } from '@guise/server/webhooks/testing/receiver.ts';
import { Webhook } from 'standardwebhooks';
import { makeDataDir, removeDataDir, type Service, startService } from '../service.ts';
import { until } from './processes.ts';

const EMAIL = 'hooks@example.com';

const { face, body } = await readSampleFaces();
const dataDir = await makeDataDir();
const env = { GUISE_ALLOW_PRIVATE_URLS: '1' };
let service: Service = await startService({ dataDir, env });
/** Down for the first three attempts. */
const receiver = await startReceiver((_request, index) => (index < 3 ? 503 : 200));
after(async () => {
  await service.stop();
  await receiver.close();
  await removeDataDir(dataDir);
});

async function deliveries(): Promise<{ eventId: string; status: string; attempts: unknown[] }[]> {
  return JSON.parse(await service.guise('webhook', 'list', '--email', EMAIL, '--json')).deliveries;
}

test('an endpoint down for 3 attempts gets one event, signed, though the service is killed in between', async () => {
  const { apiKey } = await service.createAccount({ email: EMAIL });
  const { webhookSecret } = JSON.parse(await service.guise('account', 'show', '--email', EMAIL, '--json'));
  const accepted = await fetch(`${service.url}/v1/batch-swap`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      source_image: face.toString('base64'),
      target_images: [body.toString('base64')],
      webhook_url: `${receiver.origin}/told`,
    }),
  });
  assert.equal(accepted.status, 202, await accepted.clone().text());
  const { job_id } = (await accepted.json()) as { job_id: string };
  for (let attempts = 1; attempts <= 3; attempts++) {
    await until(`attempt ${attempts}`, async () => {
      // Another one may be made meanwhile.
      const [only] = await deliveries();
      return only !== undefined && only.attempts.length >= attempts;
    });
    if (attempts === 1) {
      // The next attempt is about 5 s after this one, whoever makes it.
      await service.killAll();
      service = await startService({ dataDir, env });
    } else {
      // Not to wait for a minute and for five.
      await service.guise('webhook', 'resend', (await deliveries())[0]!.eventId, '--email', EMAIL);
    }
  }
  await until('the delivery', async () => (await deliveries())[0]!.status === 'delivered');
  const told = await deliveries();
  assert.equal(told.length, 1);
  const webhook = new Webhook(webhookSecret);
  for (const { headers, body: bytes } of receiver.requests) {
    const event = webhook.verify(bytes, headers as Record<string, string>) as Record<string, unknown>;
    assert.deepEqual([event.event, event.job_id], ['batch_swap.completed', job_id]);
    assert.equal(headers['webhook-id'], told[0]!.eventId);
    assert(bytes.equals(receiver.requests[0]!.body));
  }
});
