import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobSchemas } from '@guise/contract/v1/schemas.ts';
import { Value } from 'typebox/value';
import type { FileLinks } from '../../storage/file-links.ts';
import type { Task } from '../../tasks/task.ts';
import { presentJob } from './present-job.ts';

const links: FileLinks = { sign: (key) => `https://guise.example/files/${key}`, check: () => 'good' };

const output = {
  index: 2,
  objectKey: 'outputs/a',
  contentType: 'image/png',
  width: 640,
  height: 480,
  sizeBytes: 5000,
  sha256: '00'.repeat(32),
  expiresAt: '2026-01-03T00:00:00.000Z',
};

const waiting: Task = {
  id: '00112233-4455-6677-8899-aabbccddeeff',
  accountId: '00000000-0000-0000-0000-000000000000',
  interface: 'v1',
  type: 'BATCH_FACE_SWAP',
  status: 'PENDING',
  costCredits: 9,
  parameters: { quality: 'high', output_format: 'png', total_images: 3 },
  result: null,
  error: null,
  progress: 0,
  createdAt: new Date('2026-01-02T00:00:00Z'),
  startedAt: null,
  completedAt: null,
};

const job = {
  success: true,
  job_id: 'job_00112233445566778899aabbccddeeff',
  type: 'batch_swap',
  status: 'queued',
  total_images: 3,
};

function presented(task: Task): unknown {
  const body = presentJob(task, links);
  assert(Value.Check(jobSchemas.batchQueued, body), JSON.stringify(body));
  return body;
}

test('a batch that nobody took yet says how many images it has, and that none is done', () => {
  assert.deepEqual(presented(waiting), { ...job, progress: 0, completed: 0, failed: 0, partial_results: [] });
});

test('a batch that waits again after its worker was lost shows what it has delivered', () => {
  const failures = [{ index: 0, code: 'NO_FACE_DETECTED', message: 'No face was found.' } as const];
  const again = {
    ...waiting,
    progress: 2 / 3,
    startedAt: new Date(),
    result: { outputs: [output], failures },
  };
  assert.deepEqual(presented(again), {
    ...job,
    progress: 66,
    completed: 1,
    failed: 1,
    partial_results: [
      { index: 0, success: false, error: 'NO_FACE_DETECTED' },
      { index: 2, success: true, output_url: 'https://guise.example/files/outputs/a' },
    ],
  });
});
