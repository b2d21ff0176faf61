import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { V1_ERROR_STATUS, type V1ErrorCode } from '../wire-codes.ts';
import { V1_EXAMPLES, v1ErrorExample } from './openapi-examples.ts';
import { V1_DESCRIPTION } from './openapi.ts';
import { jobSchemas } from './schemas.ts';
import { WEBHOOK_EVENTS } from './webhook-events.ts';

const { schemas } = V1_DESCRIPTION.components;

function assertFits(schema: TSchema, example: unknown): void {
  const errors = Value.Errors(schema, example).map((each) => `${each.instancePath} ${each.message}`);
  assert.deepEqual(errors, []);
}

test('every example is what its schema says, and every state has one', () => {
  assertFits(schemas.ImageResult, V1_EXAMPLES.image);
  assertFits(schemas.Quote, V1_EXAMPLES.quote);
  assertFits(schemas.VideoAccepted, V1_EXAMPLES.videoAccepted);
  assertFits(schemas.BatchAccepted, V1_EXAMPLES.batchAccepted);
  assert.deepEqual(Object.keys(V1_EXAMPLES.jobs), Object.keys(jobSchemas));
  for (const [name, job] of Object.entries(V1_EXAMPLES.jobs)) {
    assertFits(jobSchemas[name as keyof typeof jobSchemas], job);
    assertFits(schemas.Job, job);
  }
});

test('every webhook event has an example that is what its schema says', () => {
  assert.deepEqual(Object.keys(V1_EXAMPLES.events).toSorted(), WEBHOOK_EVENTS.toSorted());
  const described = V1_DESCRIPTION.webhooks.completion.post.requestBody.content['application/json'];
  for (const [name, event] of Object.entries(V1_EXAMPLES.events)) {
    assertFits(schemas.WebhookEvent, event);
    assert.equal(event.event, name);
    assert.deepEqual(described.examples[name], { value: event });
  }
});

test('every code has an example in the description', () => {
  const text = JSON.stringify(V1_DESCRIPTION.paths);
  for (const code of Object.keys(V1_ERROR_STATUS) as V1ErrorCode[]) {
    const example = v1ErrorExample(code);
    assertFits(schemas.Error, example);
    assert.ok(text.includes(JSON.stringify(example)), code);
  }
});

test('every reference leads somewhere', () => {
  for (const [, kind, name] of JSON.stringify(V1_DESCRIPTION).matchAll(
    /"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g,
  )) {
    const group = V1_DESCRIPTION.components[kind as keyof typeof V1_DESCRIPTION.components];
    assert.ok(Object.hasOwn(group, name!), `${kind}/${name}`);
  }
});

test('the limits are told in the description', () => {
  const video = JSON.stringify(V1_DESCRIPTION.paths['/v1/video-swap']);
  assert.match(video, /at most 524288000 bytes, 600 seconds, 4096 x 2304 pixels and 240 frames/);
  assert.match(video, /"required":\["target_video"\]/);
  assert.match(
    JSON.stringify(V1_DESCRIPTION.paths['/v1/image-swap']),
    /at most 52428800 bytes and 100000000 pixels/,
  );
});
