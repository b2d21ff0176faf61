import { GuiseError, type Warning } from '@guise/client';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteOfError, noteOfLook, notesOf, placeOf } from './notes.ts';

const SIZE = { width: 100, height: 100 };
const ONE = { face: 1, target: 1 };

function warning(code: Warning['code'], field: string, message = 'A sentence.'): Warning {
  return { code, field, message };
}

test('each form field has its place on the page', () => {
  assert.equal(placeOf('photo', 'sourceImage'), 'face 0');
  assert.equal(placeOf('photo', 'additionalSourceImages[2]'), 'face 3');
  assert.equal(placeOf('photo', 'targetImage'), 'target 0');
  assert.equal(placeOf('photo', 'sourceFaceId'), 'face 0');
  assert.equal(placeOf('film', 'sourceFaceId[2]'), 'face 0');
  assert.equal(placeOf('batch', 'sourceImages[4]'), 'face 4');
  assert.equal(placeOf('batch', 'targetImages[11]'), 'target 11');
  assert.equal(placeOf('group', 'sourceImage'), 'target 0');
  assert.equal(placeOf('group', 'targetFace2'), 'mapped 2');
  assert.equal(placeOf('group', 'faceBox0'), 'mapped 0');
  assert.equal(placeOf('group', 'sourceFaceId2'), 'mapped 2');
  assert.equal(placeOf('film', 'sourceFaceId1[3]'), 'mapped 1');
  assert.equal(placeOf('film', 'targetGif'), 'target 0');
  assert.equal(placeOf('film', 'restoreVisibility'), null);
});

const said = (message: string): string | undefined =>
  notesOf('photo', [warning('SMALL_FACE', 'sourceImage', message)], ONE).get('face 0')?.text;

test('beside a file, a sentence does not name the form field', () => {
  assert.equal(said('The face in sourceImage is blurred; it is so.'), 'This face is blurred; it is so.');
  assert.equal(said('No face was found in sourceImage.'), 'No face was found in this photo.');
  assert.equal(said('A sentence about nothing.'), 'A sentence about nothing.');
  const refused = new GuiseError(400, { error: 'targetImages[1] must be a JPEG.', field: 'targetImages[1]' });
  const [place, note] = noteOfError('batch', refused)!;
  assert.equal(place, 'target 1');
  assert.equal(note.text, 'This file must be a JPEG.');
  const unknown = new GuiseError(400, { error: 'sourceFaceId1 must be known.', field: 'sourceFaceId1' });
  assert.equal(noteOfError('group', unknown)![1].text, 'The saved face must be known.');
  assert.equal(noteOfError('batch', new GuiseError(503, { error: 'Busy.' })), null);
});

test('a photo without a face fails the swap; one of several of a batch is skipped', () => {
  const faceless = warning('NO_FACE', 'targetImages[0]');
  const tone = (targets: number, ...more: Warning[]) =>
    notesOf('batch', [faceless, ...more], { face: 1, target: targets }).get('target 0')?.tone;
  assert.equal(tone(1), 'error');
  assert.equal(tone(2), 'skipped');
  assert.equal(tone(2, warning('NO_FACE', 'targetImages[1]')), 'error');
  assert.equal(notesOf('photo', [warning('NO_FACE', 'targetImage')], ONE).get('target 0')?.tone, 'error');
});

test('what makes a result weak is a warning, and several faces are none', () => {
  const notes = notesOf(
    'photo',
    [warning('GLASSES', 'sourceImage'), warning('SEVERAL_FACES', 'targetImage')],
    ONE,
  );
  assert.deepEqual([...notes.keys()], ['face 0']);
  assert.equal(notes.get('face 0')?.tone, 'warning');
  assert.equal(
    notesOf('group', [warning('FACE_BOX_CONFLICT', 'faceBox1')], ONE).get('mapped 1')?.tone,
    'error',
  );
});

const face = (faceIndex: number, side: number) =>
  ({ faceIndex, x: 0, y: 0, width: side, height: side, score: 1, yaw: 0, pitch: 0, roll: 0 }) as const;

test('of a photo that was looked at by itself, the largest face is spoken of', () => {
  const warnings = [
    { faceIndex: 0, code: 'BLURRED_FACE', role: 'source', message: 'Face 0 is blurred.' },
    { faceIndex: 1, code: 'GLASSES', role: 'source', message: 'Face 1 wears glasses.' },
  ] as const;
  const note = noteOfLook({ ...SIZE, faces: [face(0, 50), face(1, 90)], warnings: [...warnings] });
  assert.equal(note?.text, 'This face wears glasses.');
  assert.equal(noteOfLook({ ...SIZE, faces: [face(0, 50)] }), null);
  assert.equal(noteOfLook({ ...SIZE, faces: [] })?.tone, 'error');
  assert.equal(noteOfLook(null), null);
});
