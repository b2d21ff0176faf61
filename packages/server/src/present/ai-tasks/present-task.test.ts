import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileLinks } from '../../storage/file-links.ts';
import type { Task } from '../../tasks/task.ts';
import { presentTask } from './present-task.ts';

const links = { sign: () => 'https://example.com/file' } as unknown as FileLinks;
const running: Task = {
  id: '6f2f5b1e-0000-4000-8000-000000000000',
  accountId: '6f2f5b1e-0000-4000-8000-000000000001',
  interface: 'ai-tasks',
  type: 'VIDEO_SWAP',
  status: 'PROCESSING',
  costCredits: 6,
  parameters: {},
  result: { outputs: [], failures: [], progressFrames: { done: 3, total: 9 } },
  error: null,
  progress: 0.4,
  createdAt: new Date(0),
  startedAt: new Date(1),
  completedAt: null,
};

test('the frames of a running video are v1’s to show: here its progress says it', () => {
  assert.deepEqual(presentTask(running, links).result, { progress: 0.4, outputs: [] });
});

test('a video cancelled under way has no result', () => {
  assert.equal(presentTask({ ...running, status: 'CANCELLED' }, links).result, null);
});
