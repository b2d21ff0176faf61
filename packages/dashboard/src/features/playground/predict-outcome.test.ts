import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import { predictOutcome } from './predict-outcome.ts';
import { picture, workflowOf } from './testing/swap-inputs.ts';

const warning = (code: Warning['code'], field: string, role?: Warning['role']): Warning => ({
  code,
  field,
  message: 'A sentence.',
  ...(role ? { role } : {}),
});

const photo = workflowOf('photo');
const photoFiles = { sourceImage: [picture('face.png')], targetImage: [picture('scene.png')] };

test('a swap without warnings, or with several faces, is good', () => {
  assert.equal(predictOutcome(photo, photoFiles, []), 'good');
  assert.equal(predictOutcome(photo, photoFiles, [warning('SEVERAL_FACES', 'targetImage')]), 'good');
});

test('whatever speaks against a face makes the result weak', () => {
  for (const code of ['SMALL_FACE', 'GLASSES', 'BLACK_AND_WHITE'] as const) {
    assert.equal(predictOutcome(photo, photoFiles, [warning(code, 'sourceImage', 'source')]), 'weak', code);
  }
});

test('a picture without a face fails the swap, whatever else is said', () => {
  const warnings = [warning('SMALL_FACE', 'sourceImage', 'source'), warning('NO_FACE', 'targetImage')];
  assert.equal(predictOutcome(photo, photoFiles, warnings), 'fails');
});

test('a batch fails only if all pictures of a side have no face', () => {
  const batch = workflowOf('batch');
  const files = {
    sourceImages: [picture('face.png')],
    targetImages: [picture('one.png'), picture('two.png')],
  };
  const one = warning('NO_FACE', 'targetImages[0]');
  assert.equal(predictOutcome(batch, files, [one]), 'good');
  assert.equal(predictOutcome(batch, files, [one, warning('NO_FACE', 'targetImages[1]')]), 'fails');
  assert.equal(predictOutcome(batch, files, [warning('NO_FACE', 'sourceImages[0]')]), 'fails');
});

test('a group photo fails if a replacement has no face or a box does not match', () => {
  const group = workflowOf('group');
  const files = { sourceImage: [picture('scene.png')] };
  assert.equal(predictOutcome(group, files, [warning('NO_FACE', 'targetFace0')]), 'fails');
  for (const code of ['FACE_NOT_FOUND', 'FACE_BOX_MISMATCH', 'FACE_BOX_CONFLICT'] as const) {
    assert.equal(predictOutcome(group, files, [warning(code, 'faceBox1')]), 'fails', code);
  }
});
