import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type C2paVerdict, NO_CREDENTIALS } from '@guise/media/provenance/c2pa-report.ts';
import type { FileVerdict } from '@guise/media/provenance/verify.ts';
import { verificationOf } from './verification.ts';

const IPTC = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const FILE = { name: 'a.png', contentType: 'image/png', bytes: 1, sha256: '00' };
const OWN = { trustAnchorPem: 'not looked at', serialNumber: '42' };
const OTHER = { ...OWN, serialNumber: '7' };
const SIGNED: C2paVerdict = {
  ...NO_CREDENTIALS,
  present: true,
  valid: true,
  trusted: true,
  serialNumber: '42',
  digitalSourceType: `${IPTC}digitalCapture`,
};
const xmp = (name: string) => ({ digitalSourceType: `${IPTC}${name}`, creatorTool: null });

const isOwn = (verdict: C2paVerdict, own: readonly (typeof OWN)[] = [OTHER, OWN]): boolean =>
  verificationOf(FILE, { xmp: null, c2pa: verdict, watermark: null }, own, null).ownSignature;

test('a signature is our own where it is believed and of this very certificate', () => {
  assert.equal(isOwn(SIGNED), true);
  assert.equal(isOwn({ ...SIGNED, serialNumber: '7' }), true, 'of an earlier one');
  assert.equal(isOwn({ ...SIGNED, serialNumber: '43' }), false);
  // A stranger can give his certificate any number.
  assert.equal(isOwn({ ...SIGNED, trusted: false }), false);
  assert.equal(isOwn(SIGNED, []), false);
});

const sourceOf = (c2pa: C2paVerdict | null): string | null =>
  verificationOf(FILE, { xmp: xmp('trainedAlgorithmicMedia'), c2pa, watermark: null }, [], null)
    .digitalSourceType;

test('what is signed and holds is believed before XMP, and XMP before what does not hold', () => {
  assert.equal(sourceOf(SIGNED), `${IPTC}digitalCapture`);
  assert.equal(sourceOf({ ...SIGNED, valid: false }), `${IPTC}trainedAlgorithmicMedia`);
  assert.equal(sourceOf(null), `${IPTC}trainedAlgorithmicMedia`);
});

const isMarked = (name: string | null, c2pa: C2paVerdict | null): boolean =>
  verificationOf(FILE, { xmp: name === null ? null : xmp(name), c2pa, watermark: null }, [], null).marked;

test('a file is marked by whichever of its marks says so, and by no other source type', () => {
  assert.equal(isMarked(null, null), false);
  assert.equal(isMarked('digitalCapture', SIGNED), false);
  for (const name of [
    'trainedAlgorithmicMedia',
    'compositeWithTrainedAlgorithmicMedia',
    'compositeSynthetic',
  ])
    assert.equal(isMarked(name, SIGNED), true);
  const action = { action: 'c2pa.edited', softwareAgent: null, when: null };
  const edited = {
    ...action,
    digitalSourceType: `${IPTC}trainedAlgorithmicMedia`.replace('http:', 'https:'),
  };
  assert.equal(isMarked(null, { ...SIGNED, actions: [edited] }), true);
});

const problems = (c2pa: C2paVerdict | null) =>
  verificationOf(FILE, { xmp: null, c2pa, watermark: null }, [OWN], null).credentials?.problems;

test('no credentials, damaged ones and a damaged file are told apart', () => {
  assert.equal(problems(null), undefined);
  assert.equal(problems({ ...NO_CREDENTIALS }), undefined);
  const unreadable = { ...NO_CREDENTIALS, validationErrors: ['unreadable'] };
  assert.deepEqual(problems(unreadable), ['file.unreadable']);
  assert.deepEqual(problems({ ...unreadable, present: true }), ['credentials.unreadable']);
});

const watermarkOf = (watermark: FileVerdict['watermark'], isOwn: boolean | null) =>
  verificationOf(FILE, { xmp: null, c2pa: null, watermark }, [], isOwn).watermark;

test('a watermark is told with its id, and whose it is only where somebody looked', () => {
  const found = { id: '0123456789ab', confidence: 0.9 };
  assert.deepEqual(watermarkOf(null, null), { found: false, confidence: 0 });
  assert.deepEqual(watermarkOf(found, null), { found: true, ...found });
  assert.deepEqual(watermarkOf(found, false), { found: true, ...found, ownInstallation: false });
});
