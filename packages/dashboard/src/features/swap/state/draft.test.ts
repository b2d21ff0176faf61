import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Draft, EMPTY_DRAFT, type Face, orderOf, type SwapKind, withFaces } from './draft.ts';

const file = (name: string, type = 'image/png'): File => new File(['x'], name, { type });
const [ada, bob, scene, other] = ['ada.png', 'bob.png', 'scene.png', 'other.png'].map((name) => file(name));
const box = { faceIndex: 1, x: 2, y: 3, width: 4, height: 5 };

function fieldsOf(kind: SwapKind, draft: Partial<Draft>): readonly [string, string][] {
  const order = orderOf(kind, { ...EMPTY_DRAFT, ...draft });
  if (typeof order === 'string') throw new Error(order);
  return [...order.form].map(([name, value]) => [name, value instanceof File ? value.name : value]);
}

test('a photo has its face, its target and more photos of the face', () => {
  assert.deepEqual(
    fieldsOf('photo', {
      faces: [ada!, bob!],
      photo: scene!,
      options: { restoreVisibility: 0.4, engine: 'mine', label: true },
    }),
    [
      ['sourceImage', 'ada.png'],
      ['targetImage', 'scene.png'],
      ['additionalSourceImages', 'bob.png'],
      ['restoreVisibility', '0.4'],
      ['engine', 'mine'],
      ['label', 'true'],
    ],
  );
});

test('a batch has one face for many photos, or many faces for one; each output has its target', () => {
  assert.equal(fieldsOf('batch', { faces: [ada!], photos: [scene!, other!] })[0]![1], 'singleToMulti');
  assert.equal(fieldsOf('batch', { faces: [ada!, bob!], photos: [scene!] })[0]![1], 'multiToSingle');
  const order = orderOf('batch', { ...EMPTY_DRAFT, faces: [ada!, bob!], photos: [scene!] });
  assert.ok(typeof order === 'object');
  assert.deepEqual(order.befores, [
    { file: scene, field: 'targetImages[0]' },
    { file: scene, field: 'targetImages[0]' },
  ]);
});

test('a group has a box for each replaced face', () => {
  assert.deepEqual(fieldsOf('group', { group: scene!, mappings: [{ box, face: ada! }] }), [
    ['sourceImage', 'scene.png'],
    ['targetFace0', 'ada.png'],
    ['faceBox0', JSON.stringify(box)],
  ]);
});

test('a film has one face, or faces of several people, a part and a size; a GIF has no size', () => {
  const film = file('talk.mp4', 'video/mp4');
  assert.deepEqual(
    fieldsOf('film', { faces: [ada!], film, part: { start: 1, end: 2.5 }, options: { quality: '720p' } }),
    [
      ['sourceImage', 'ada.png'],
      ['targetVideo', 'talk.mp4'],
      ['startSeconds', '1'],
      ['endSeconds', '2.5'],
      ['quality', '720p'],
    ],
  );
  assert.deepEqual(fieldsOf('film', { faces: [ada!], film, people: new Map([[2, bob!]]) }), [
    ['targetFace0', 'bob.png'],
    ['faceBox0', '{"personIndex":2}'],
    ['targetVideo', 'talk.mp4'],
  ]);
  for (const draft of [
    { film: file('wave.gif', 'image/gif'), options: { quality: '720p' } },
    { film, options: { asGif: true } },
  ] as const) {
    const fields = fieldsOf('film', { faces: [ada!, bob!], ...draft });
    assert.deepEqual(
      fields.map(([name]) => name),
      ['sourceImage', 'targetGif'],
    );
  }
});

test('a saved face takes the place of photos of one person; a consent goes with every swap', () => {
  const savedFace = { id: 'a1', name: 'Ada' };
  const options = { consent: ' Ada agreed. ' };
  const film = file('talk.mp4', 'video/mp4');
  const id = ['sourceFaceId', 'a1'];
  const consent = ['consent', 'Ada agreed.'];
  assert.deepEqual(fieldsOf('photo', { savedFace, photo: scene!, options }), [
    id,
    ['targetImage', 'scene.png'],
    consent,
  ]);
  assert.deepEqual(fieldsOf('batch', { savedFace, photos: [scene!, other!], options }), [
    ['mode', 'singleToMulti'],
    id,
    ['targetImages', 'scene.png'],
    ['targetImages', 'other.png'],
    consent,
  ]);
  assert.deepEqual(fieldsOf('film', { savedFace, film, options }), [
    id,
    ['targetVideo', 'talk.mp4'],
    consent,
  ]);
  const group = { group: scene!, mappings: [{ box, face: ada! }], savedFace, options };
  assert.deepEqual(
    fieldsOf('group', group).map(([name]) => name),
    ['sourceImage', 'targetFace0', 'faceBox0', 'consent'],
  );
  assert.equal(fieldsOf('photo', { savedFace, photo: scene!, options: { consent: ' ' } }).length, 2);
});

test('each of several people has a photo or a saved face', () => {
  const saved = { id: 'a1', name: 'Ada' };
  const mappings = [
    { box, face: saved },
    { box: { ...box, faceIndex: 3 }, face: bob! },
  ];
  assert.deepEqual(fieldsOf('group', { group: scene!, mappings }), [
    ['sourceImage', 'scene.png'],
    ['sourceFaceId0', 'a1'],
    ['faceBox0', JSON.stringify(box)],
    ['targetFace1', 'bob.png'],
    ['faceBox1', JSON.stringify({ ...box, faceIndex: 3 })],
  ]);
  const people = new Map<number, Face>([
    [0, bob!],
    [2, saved],
  ]);
  // The faces of single people do not count beside those of several.
  for (const other of [{ faces: [ada!] }, { savedFace: saved }]) {
    assert.deepEqual(fieldsOf('film', { ...other, film: file('talk.mp4', 'video/mp4'), people }), [
      ['targetFace0', 'bob.png'],
      ['faceBox0', '{"personIndex":0}'],
      ['sourceFaceId1', 'a1'],
      ['faceBox1', '{"personIndex":2}'],
      ['targetVideo', 'talk.mp4'],
    ]);
  }
});

test('a saved face that is gone leaves each of its places', () => {
  const [gone, kept] = [
    { id: 'a1', name: 'Ada' },
    { id: 'b2', name: 'Bob' },
  ];
  const draft: Draft = {
    ...EMPTY_DRAFT,
    savedFace: gone!,
    mappings: [gone!, ada!, kept!].map((face) => ({ box, face })),
    people: new Map([gone!, ada!, kept!].entries()),
  };
  const left = withFaces(draft, new Set(['b2']));
  assert.equal(left.savedFace, null);
  assert.deepEqual(
    left.mappings.map(({ face }) => face),
    [ada, kept],
  );
  assert.deepEqual(
    [...left.people],
    [
      [1, ada],
      [2, kept],
    ],
  );
  assert.deepEqual(withFaces(draft, new Set(['a1', 'b2'])), draft);
});

const missing = (kind: SwapKind, draft: Partial<Draft> = {}) => orderOf(kind, { ...EMPTY_DRAFT, ...draft });

test('what is missing is said', () => {
  assert.equal(missing('photo'), 'Choose a face');
  assert.equal(missing('photo', { faces: [ada!] }), 'Choose a photo to change');
  assert.match(
    missing('batch', { faces: [ada!, bob!], photos: [scene!, other!] }) as string,
    /^Choose one face/,
  );
  assert.equal(missing('group', { group: scene! }), 'Choose a face to replace');
  assert.equal(missing('film', { faces: [ada!] }), 'Choose a video or GIF to change');
});
