import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHOTO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { TASK_TYPES } from '@guise/contract/task.ts';
import { slotOf } from './slot.ts';
import { SLOTS, WORKFLOW_CHOICES, workflowColor, workflowName } from './workflows.ts';

test('every type of task has a name and a colour of its own', () => {
  assert.deepEqual(WORKFLOW_CHOICES.map(({ value }) => value).toSorted(), [...TASK_TYPES].toSorted());
  assert.equal(workflowName('GIF_FACE_SWAP'), 'GIF');
  assert.equal(workflowName('SOMETHING_NEW'), 'SOMETHING_NEW');
  assert.equal(new Set(WORKFLOW_CHOICES.map(({ label }) => workflowColor(label))).size, TASK_TYPES.length);
});

test('places for files accept what the form of the service accepts', () => {
  const heic = 'image/heif,.heif,.heic';
  const usual = 'image/jpeg,.jpg,.jpeg,image/png,.png,image/webp,.webp';
  assert.equal(SLOTS.photo.accept, `${usual},image/gif,.gif,image/bmp,.bmp,${heic}`);
  assert.equal(SLOTS.photos.accept, `${usual},image/avif,.avif,${heic}`);
  assert.equal(SLOTS.group.accept, usual);
  assert.equal(SLOTS.video.accept, 'video/mp4,.mp4,video/quicktime,.mov,video/webm,.webm');
  assert.equal(SLOTS.gif.accept, 'image/gif,.gif,video/mp4,.mp4,video/webm,.webm');
});

test('a place for a field that the form does not have is refused', () => {
  assert.throws(() => slotOf(PHOTO_FORM, 'targetVideo', ''), /has no upload targetVideo/);
  assert.throws(() => slotOf(PHOTO_FORM, 'restoreVisibility', ''), /has no upload restoreVisibility/);
});
