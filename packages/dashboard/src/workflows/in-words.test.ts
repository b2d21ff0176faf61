import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workflowOf } from '../features/playground/testing/swap-inputs.ts';
import { inWords } from './in-words.ts';
import type { WorkflowKind } from './workflows.ts';

/** What the service says of a field: of its face, its photo and its file. */
const PROBLEMS = [
  (field: string) => `No face was found in ${field}.`,
  (field: string) => `The face in ${field} is blurred; a sharper photo gives a sharper result.`,
  (field: string) => `${field} has 3 faces; the largest one is used.`,
  (field: string) => `${field} is empty.`,
];

function sentences(kind: WorkflowKind, field: string, faceNumbers: readonly number[] = []): string[] {
  return PROBLEMS.map((say) => inWords(workflowOf(kind), say(field), faceNumbers));
}

const BLURRED = 'is blurred; a sharper photo gives a sharper result.';
const SEVERAL = 'has 3 faces; the largest one is used.';

test('every problem of every field is one whole sentence', () => {
  assert.deepEqual(sentences('photo', 'sourceImage'), [
    'No face was found in the photo of the face to use.',
    `The face to use ${BLURRED}`,
    `The photo of the face to use ${SEVERAL}`,
    'The photo of the face to use is empty.',
  ]);
  for (const [kind, field, file] of [
    ['photo', 'targetImage', 'the photo to change'],
    ['photo', 'additionalSourceImages[1]', 'photo 2 of “More photos of this face”'],
    ['batch', 'sourceImages[0]', 'photo 1 of the faces to use'],
    ['batch', 'targetImages[2]', 'photo 3 to change'],
    ['video', 'targetVideo', 'the video to change'],
    ['gif', 'targetGif', 'the GIF or clip to change'],
    ['group', 'sourceImage', 'the group photo'],
    ['group', 'targetFace1', 'the photo for face 7'],
  ] as const) {
    const opening = file[0]!.toUpperCase() + file.slice(1);
    assert.deepEqual(sentences(kind, field, [3, 7]), [
      `No face was found in ${file}.`,
      `The face in ${file} ${BLURRED}`,
      `${opening} ${SEVERAL}`,
      `${opening} is empty.`,
    ]);
  }
});

test('a list of files and a box are called as the page shows them', () => {
  const batch = workflowOf('batch');
  assert.equal(inWords(batch, 'sourceImages is missing.', []), 'The list of faces to use is missing.');
  assert.equal(inWords(workflowOf('group'), 'No face lies in faceBox0.', [3, 7]), 'No face lies in box 3.');
});

test('what the page does not show keeps the name that the service gives it', () => {
  assert.equal(inWords(workflowOf('group'), 'targetFace2 has no face.', [3]), 'targetFace2 has no face.');
  assert.equal(inWords(workflowOf('photo'), 'targetVideo is too long.', []), 'targetVideo is too long.');
  assert.equal(inWords(workflowOf('photo'), 'sourceImages is unknown.', []), 'sourceImages is unknown.');
});
