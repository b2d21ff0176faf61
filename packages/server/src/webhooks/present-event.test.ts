import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookEventSchema } from '@guise/contract/v1/webhook-schemas.ts';
import { Value } from 'typebox/value';
import type { FileLinks } from '../storage/file-links.ts';
import type { StoredOutput, Task } from '../tasks/task.ts';
import { presentEvent } from './present-event.ts';

const links: FileLinks = { sign: (key) => `https://guise.example/files/${key}`, check: () => 'good' };
const job_id = 'job_00112233445566778899aabbccddeeff';

const output: StoredOutput = {
  index: 0,
  objectKey: 'outputs/a',
  contentType: 'video/mp4',
  width: 1280,
  height: 720,
  sizeBytes: 5000,
  durationSeconds: 7.5,
  sha256: '00'.repeat(32),
  expiresAt: '2026-01-03T00:00:00.000Z',
};

const task = (over: Partial<Task>): Task => ({
  id: '00112233-4455-6677-8899-aabbccddeeff',
  accountId: '00000000-0000-0000-0000-000000000000',
  interface: 'v1',
  type: 'VIDEO_SWAP',
  status: 'COMPLETED',
  costCredits: 16,
  parameters: { quality: 'high', output_format: 'mp4', total_images: 3 },
  result: { outputs: [output], failures: [] },
  error: null,
  progress: 1,
  createdAt: new Date('2026-01-02T00:00:00Z'),
  startedAt: new Date('2026-01-02T00:00:01Z'),
  completedAt: new Date('2026-01-02T00:00:04.500Z'),
  ...over,
});

function presented(over: Partial<Task>): unknown {
  const event = presentEvent(task(over), links);
  assert(Value.Check(webhookEventSchema, event), JSON.stringify(event));
  return event;
}

test("a completed video is told with the spec's fields and no other", () => {
  assert.deepEqual(presented({}), {
    event: 'video_swap.completed',
    job_id,
    status: 'completed',
    output_url: 'https://guise.example/files/outputs/a',
    duration: 7.5,
    resolution: '1280x720',
    processing_time: 3500,
    credits_used: 16,
  });
});

test('a completed batch is told with its results in the order of the targets', () => {
  const result = {
    outputs: [{ ...output, index: 2 }, output],
    failures: [{ index: 1, code: 'NO_FACE_DETECTED' as const, message: 'No face.' }],
  };
  assert.deepEqual(presented({ type: 'BATCH_FACE_SWAP', result, costCredits: 6 }), {
    event: 'batch_swap.completed',
    success: true,
    job_id,
    status: 'completed',
    total_images: 3,
    completed: 2,
    failed: 1,
    credits_used: 6,
    results: [
      { index: 0, success: true, output_url: 'https://guise.example/files/outputs/a' },
      { index: 1, success: false, error: 'NO_FACE_DETECTED' },
      { index: 2, success: true, output_url: 'https://guise.example/files/outputs/a' },
    ],
  });
});

test('failed and cancelled jobs are told as failed', () => {
  const error = { code: 'DECODE_FAILED' as const, message: 'The video could not be read.' };
  assert.deepEqual(presented({ status: 'FAILED', error, result: null }), {
    event: 'video_swap.failed',
    job_id,
    status: 'failed',
    error: 'DECODE_FAILED',
    message: 'The video could not be read.',
  });
  assert.deepEqual(presented({ status: 'CANCELLED', type: 'BATCH_FACE_SWAP', result: null }), {
    event: 'batch_swap.failed',
    job_id,
    status: 'failed',
    error: 'CANCELLED',
    message: 'The job was cancelled.',
  });
});
