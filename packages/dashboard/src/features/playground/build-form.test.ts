import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildForm, missingOf } from './build-form.ts';
import { mappingOf, picture, workflowOf } from './testing/swap-inputs.ts';

const [face, scene, other] = [picture('face.png'), picture('scene.png'), picture('other.png')];

/** Lists a form's fields in order, a file by its name. */
function fieldsOf(form: FormData | null): [name: string, value: string][] {
  return [...form!].map(([name, value]) => [name, value instanceof File ? value.name : value]);
}

test('a photo form holds both files, further photos of the face, and the options', () => {
  const files = { targetImage: [scene], sourceImage: [face], additionalSourceImages: [other, face] };
  assert.deepEqual(fieldsOf(buildForm(workflowOf('photo'), files, [], { restoreVisibility: '0.5' })), [
    ['sourceImage', 'face.png'],
    ['targetImage', 'scene.png'],
    ['additionalSourceImages', 'other.png'],
    ['additionalSourceImages', 'face.png'],
    ['restoreVisibility', '0.5'],
  ]);
});

test('there is no form while a file is missing', () => {
  assert.equal(missingOf(workflowOf('video'), { sourceImage: [face] }, []), 'Choose the files');
  assert.equal(
    missingOf(workflowOf('video'), { sourceImage: [face], targetVideo: [] }, []),
    'Choose the files',
  );
  assert.equal(buildForm(workflowOf('video'), { sourceImage: [face] }, [], {}), null);
});

/** Reads the mode of a batch form with these files; undefined: there is no form. */
function modeOf(sources: File[], targets: File[]) {
  const files = { sourceImages: sources, targetImages: targets };
  return buildForm(workflowOf('batch'), files, [], {})?.get('mode');
}

test('a batch has one face for many photos, or one photo for many faces, and says which', () => {
  assert.equal(modeOf([face], [scene]), 'singleToMulti');
  assert.equal(modeOf([face], [scene, other]), 'singleToMulti');
  assert.equal(modeOf([face, other], [scene]), 'multiToSingle');
  assert.equal(modeOf([face, other], [scene, other]), undefined);
  assert.equal(
    missingOf(workflowOf('batch'), { sourceImages: [face, other], targetImages: [scene, other] }, []),
    'Choose one face for many photos, or one photo for many faces',
  );
});

test('a group photo needs a replacement; each goes with the box of the face it replaces', () => {
  const [group, files] = [workflowOf('group'), { sourceImage: [scene] }];
  assert.equal(missingOf(group, files, []), 'Choose a replacement for a face');
  assert.deepEqual(fieldsOf(buildForm(group, files, [mappingOf(2, face), mappingOf(4, other)], {})), [
    ['targetFace0', 'face.png'],
    ['faceBox0', '{"faceIndex":2,"x":20,"y":20,"width":30,"height":40}'],
    ['targetFace1', 'other.png'],
    ['faceBox1', '{"faceIndex":4,"x":40,"y":20,"width":30,"height":40}'],
    ['sourceImage', 'scene.png'],
  ]);
});
