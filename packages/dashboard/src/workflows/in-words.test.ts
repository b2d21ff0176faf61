import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWords } from './in-words.ts';
import { workflowOf } from '../features/playground/testing/swap-inputs.ts';

test('fields are called as the page labels them, in capitals at the beginning only', () => {
  assert.equal(inWords(workflowOf('photo'), 'sourceImage is empty.', []), 'The face to use is empty.');
  assert.equal(
    inWords(workflowOf('video'), 'The face in sourceImage is not in targetVideo.', []),
    'The face to use is not in the video to change.',
  );
  assert.equal(
    inWords(workflowOf('photo'), 'additionalSourceImages[1] has no face.', []),
    'More photos of this face, number 2, has no face.',
  );
});

test('a file of several has its number from 1, without the remark on how many there may be', () => {
  const batch = workflowOf('batch');
  assert.equal(
    inWords(batch, 'targetImages[2] has no face.', []),
    'The photos to change, number 3, has no face.',
  );
  assert.equal(inWords(batch, 'No face in sourceImages[0].', []), 'No face in the face to use, number 1.');
});

test('a replacement in a group photo is called by the number of its face on the page', () => {
  const group = workflowOf('group');
  assert.equal(inWords(group, 'targetFace1 has no face.', [3, 7]), 'The replacement of face 7 has no face.');
  assert.equal(inWords(group, 'No face lies in faceBox0.', [3, 7]), 'No face lies in box 3.');
});

test('what the page does not show keeps the name that the service gives it', () => {
  assert.equal(inWords(workflowOf('group'), 'targetFace2 has no face.', [3]), 'targetFace2 has no face.');
  assert.equal(inWords(workflowOf('photo'), 'targetVideo is too long.', []), 'targetVideo is too long.');
  assert.equal(inWords(workflowOf('photo'), 'sourceImages is unknown.', []), 'sourceImages is unknown.');
});
