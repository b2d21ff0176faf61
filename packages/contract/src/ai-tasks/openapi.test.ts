import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { GIF_EXAMPLES, PERSONS_EXAMPLE, VIDEO_EXAMPLES } from './openapi-examples-of-clips.ts';
import { BATCH_EXAMPLES, GROUP_EXAMPLES } from './openapi-examples-of-many.ts';
import { PUBLIC_VERIFY_ERRORS, VERIFY_EXAMPLES } from './openapi-examples-of-verify.ts';
import { EXAMPLES } from './openapi-examples.ts';
import { API_DESCRIPTION } from './openapi.ts';

const { schemas } = API_DESCRIPTION.components;

function assertFits(schema: TSchema, example: unknown): void {
  const errors = Value.Errors(schema, example).map((each) => `${each.instancePath} ${each.message}`);
  assert.deepEqual(errors, []);
}

test('every example is what its schema says', () => {
  assertFits(schemas.TaskAccepted, EXAMPLES.accepted);
  assertFits(schemas.Quote, EXAMPLES.quote);
  assertFits(schemas.DetectedFaces, EXAMPLES.faces);
  assertFits(schemas.DetectedPersons, PERSONS_EXAMPLE);
  for (const { accepted, quote, ...tasks } of [
    BATCH_EXAMPLES,
    GROUP_EXAMPLES,
    VIDEO_EXAMPLES,
    GIF_EXAMPLES,
  ]) {
    assertFits(schemas.TaskAccepted, accepted);
    assertFits(schemas.Quote, quote);
    for (const task of Object.values(tasks)) assertFits(schemas.Task, task);
  }
  for (const task of [EXAMPLES.pending, EXAMPLES.completed, EXAMPLES.failed, EXAMPLES.cancelled]) {
    assertFits(schemas.Task, task);
  }
  for (const answer of Object.values(VERIFY_EXAMPLES)) assertFits(schemas.Verification, answer);
  const errors = [...Object.values(EXAMPLES.errors), ...Object.values(PUBLIC_VERIFY_ERRORS)];
  for (const error of errors) assertFits(schemas.Error, error);
});

test('every reference leads somewhere', () => {
  const text = JSON.stringify(API_DESCRIPTION);
  for (const [, kind, name] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)) {
    const group = API_DESCRIPTION.components[kind as keyof typeof API_DESCRIPTION.components];
    assert.ok(Object.hasOwn(group, name!), `${kind}/${name}`);
  }
});

test('the error body is the spec table and nothing more', () => {
  assert.deepEqual(Object.keys(schemas.Error.properties), [
    'error',
    'code',
    'field',
    'required',
    'available',
    'limit',
    'resetSeconds',
  ]);
  assert.deepEqual(schemas.Error.required, ['error', 'code']);
  assert.equal(Value.Check(schemas.Error, { error: 'x', code: 'BUSY' }), true);
  assert.equal(Value.Check(schemas.Error, { error: 'x', code: 'TASK_FINISHED' }), false);
  assert.equal(Value.Check(schemas.Error, { error: 'x', code: 'BUSY', detail: 'y' }), false);
});

test('every operation with a key says what it answers while the service shuts down', () => {
  for (const operations of Object.values(API_DESCRIPTION.paths)) {
    for (const { operationId, responses } of Object.values(operations)) {
      if (operationId !== 'readDescription') assert.ok('503' in responses, operationId);
    }
  }
});

test('a sent byte too many and a pixel too many are told in the description', () => {
  const form = JSON.stringify(API_DESCRIPTION.paths['/api/ai-tasks']);
  assert.match(form, /at most 31457280 bytes and 100000000 pixels/);
});

test('the limits of a video and a GIF are told in the description', () => {
  const video = JSON.stringify(API_DESCRIPTION.paths['/api/ai-tasks/video']);
  assert.match(video, /MP4, MOV or WebM, by content; at most 99614720 bytes, 300 seconds, 240 frames/);
  assert.match(video, /and 9437184 pixels a frame, 4096 on a side\./);
  assert.match(video, /"required":\["targetVideo"\]/);
  const gif = JSON.stringify(API_DESCRIPTION.paths['/api/ai-tasks/gif']);
  assert.match(gif, /GIF, MP4 or WebM, by content; at most 99614720 bytes, 30 seconds/);
  assert.match(gif, /short side of at most 480 pixels .* at most 400000000 pixels\./);
  assert.match(gif, /All files together have at most 99614720 bytes\./);
});

test('the limits of a whole form are told in the description', () => {
  const batch = JSON.stringify(API_DESCRIPTION.paths['/api/ai-tasks/batch-face-swap']);
  assert.match(batch, /At most 20 files\. All files together have at most 99614720 bytes\./);
  const group = JSON.stringify(API_DESCRIPTION.paths['/api/ai-tasks/multi-face-swap']);
  assert.match(group, /The whole request has at most 99614720 bytes\./);
  assert.match(group, /"required":\["sourceImage","faceBox0"\],"anyOf"/);
  assert.match(group, /"anyOf":\[\{"required":\["targetFace0"\]\},\{"required":\["sourceFaceId0"\]\}\]/);
});
