import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warnOfDetected, warnOfField, warnOfSwap } from './warnings.ts';
import { type DetectedFace, FACE_TRAITS, type FaceTrait } from './work.ts';

const clear: DetectedFace = {
  faceIndex: 0,
  x: 10,
  y: 10,
  width: 200,
  height: 260,
  score: 0.95,
  yaw: 4,
  pitch: 2,
  roll: 1,
  traits: [],
};
const withTraits = (...traits: FaceTrait[]): DetectedFace => ({ ...clear, traits });
const codesOf = (warnings: readonly { readonly code: string }[]): string[] =>
  warnings.map(({ code }) => code);

const codesByRole = (change: Partial<DetectedFace>): string[][] =>
  (['source', 'target'] as const).map((role) => codesOf(warnOfField('image', role, { ...clear, ...change })));

test('a clear photo is warned of in no role, and neither is a face that nobody reviewed', () => {
  const { traits: _, ...unreviewed } = clear;
  for (const face of [clear, unreviewed]) assert.deepEqual(warnOfDetected([face]), []);
});

test('a warning says in one sentence which face it is about, what is wrong and what to do', () => {
  assert.deepEqual(warnOfField('sourceImage', 'source', withTraits('dark-glasses')), [
    {
      field: 'sourceImage',
      code: 'GLASSES',
      role: 'source',
      message:
        'The face in sourceImage wears glasses that hide the eyes; a photo without them gives a better face.',
    },
  ]);
  const all: DetectedFace = { ...clear, width: 40, height: 50, yaw: -60, score: 0.5 };
  const faces = [all, clear].flatMap((face) =>
    FACE_TRAITS.map((trait, faceIndex) => ({ ...face, faceIndex, traits: [trait] })),
  );
  for (const { faceIndex, message } of warnOfDetected(faces))
    assert.match(message, new RegExp(`^Face ${faceIndex} [^.]+; [^.]+\\.$`));
});

test('a face has at most one warning in a role: what does most harm', () => {
  const worst = { ...withTraits('black-and-white', 'dark-glasses'), width: 90, height: 110, yaw: 37 };
  assert.deepEqual(codesOf(warnOfField('sourceImage', 'source', worst)), ['GLASSES']);
  assert.deepEqual(codesOf(warnOfField('sourceImage', 'source', { ...worst, score: 0.6 })), [
    'OCCLUDED_FACE',
  ]);
});

test('a small source harms where it is enlarged', () => {
  const small = { ...clear, width: 90, height: 110 };
  const fields = { source: 'sourceImage' };
  assert.deepEqual(codesOf(warnOfSwap({ source: small, target: clear }, fields)), ['SMALL_FACE']);
  assert.deepEqual(warnOfSwap({ source: small, target: { ...clear, width: 150, height: 181 } }, fields), []);
});

test('what harms a source is no reason to warn of a target', () => {
  const harmless = FACE_TRAITS.filter((trait) => trait !== 'covered');
  assert.deepEqual(warnOfField('targetImage', 'target', withTraits(...harmless)), []);
});

test('small and turned are less for a source than for a target', () => {
  assert.deepEqual(codesByRole({ width: 120, height: 149 }), [['SMALL_FACE'], []]);
  assert.deepEqual(codesByRole({ width: 150, height: 120 }), [[], []]);
  assert.deepEqual(codesByRole({ width: 63, height: 60 }), [['SMALL_FACE'], ['SMALL_FACE']]);
  assert.deepEqual(codesByRole({ yaw: -31 }), [['PROFILE_FACE'], []]);
  assert.deepEqual(codesByRole({ yaw: 46 }), [['PROFILE_FACE'], ['PROFILE_FACE']]);
});

test('what both faces of a swap have does no harm', () => {
  const fields = { source: 'sourceImage', target: 'targetImage' };
  const source = withTraits('black-and-white');
  assert.equal(warnOfSwap({ source, target: clear }, fields).length, 1);
  assert.equal(warnOfSwap({ source }, fields).length, 1);
  assert.deepEqual(warnOfSwap({ source, target: source }, fields), []);
  const turned = { ...clear, yaw: 40 };
  assert.deepEqual(warnOfSwap({ source: turned, target: { ...clear, yaw: -40 } }, fields), []);
  const worn = withTraits('dark-glasses');
  assert.deepEqual(codesOf(warnOfSwap({ source: worn, target: worn }, fields)), ['GLASSES']);
});
