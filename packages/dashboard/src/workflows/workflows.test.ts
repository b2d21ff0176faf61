import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHOTO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { TASK_TYPES } from '@guise/contract/task.ts';
import { partName, slotOf } from './slot.ts';
import { ALL_WORKFLOWS, uploadSlots, workflowName } from './workflows.ts';

test('every type of task has its workflow, with a page of its own', () => {
  assert.deepEqual(ALL_WORKFLOWS.map(({ taskType }) => taskType).sort(), [...TASK_TYPES].sort());
  assert.equal(new Set(ALL_WORKFLOWS.map(({ href }) => href)).size, ALL_WORKFLOWS.length);
  assert.equal(workflowName('GIF_FACE_SWAP'), 'GIF');
  assert.equal(workflowName('SOMETHING_NEW'), 'SOMETHING_NEW');
});

test('slots accept what the form of the service accepts', () => {
  const accepts = new Map(
    ALL_WORKFLOWS.flatMap((each) =>
      uploadSlots(each).map(({ field, accept, isMany }) => [`${each.kind} ${field}`, { accept, isMany }]),
    ),
  );
  const heic = 'image/heif,.heif,.heic';
  const usual = 'image/jpeg,.jpg,.jpeg,image/png,.png,image/webp,.webp';
  const photo = `${usual},image/gif,.gif,image/bmp,.bmp,${heic}`;
  assert.deepEqual(accepts.get('photo targetImage'), { accept: photo, isMany: false });
  assert.deepEqual(accepts.get('photo additionalSourceImages'), { accept: photo, isMany: true });
  assert.deepEqual(accepts.get('video targetVideo'), {
    accept: 'video/mp4,.mp4,video/quicktime,.mov,video/webm,.webm',
    isMany: false,
  });
  assert.deepEqual(accepts.get('gif targetGif'), {
    accept: 'image/gif,.gif,video/mp4,.mp4,video/webm,.webm',
    isMany: false,
  });
  assert.deepEqual(accepts.get('batch targetImages'), {
    accept: `${usual},image/avif,.avif,${heic}`,
    isMany: true,
  });
});

test('a slot of a field that the form does not have is refused', () => {
  assert.throws(() => slotOf(PHOTO_FORM, 'targetVideo', ''), /has no upload targetVideo/);
  assert.throws(() => slotOf(PHOTO_FORM, 'restoreVisibility', ''), /has no upload restoreVisibility/);
});

test('files are named as the service names them', () => {
  const [source, more] = [
    slotOf(PHOTO_FORM, 'sourceImage', ''),
    slotOf(PHOTO_FORM, 'additionalSourceImages', ''),
  ];
  assert.equal(partName(source, 0), 'sourceImage');
  assert.equal(partName(more, 2), 'additionalSourceImages[2]');
});
