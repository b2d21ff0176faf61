import type { Verification } from '@guise/client';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERIFY_EXAMPLES } from '@guise/contract/ai-tasks/openapi-examples-of-verify.ts';
import { type Finding, findingsOf } from './findings.ts';

// The examples are read-only, and the type of a verification is not.
const { own, changed, plain } = structuredClone(VERIFY_EXAMPLES) as unknown as Record<string, Verification>;

function titlesOf(verification: Verification): string[] {
  return findingsOf(verification).map(({ tone, title }) => `${tone}: ${title}`);
}

/** What is said of a watermark in a file without other marks. */
function watermarkFinding(watermark: object): Finding | undefined {
  return findingsOf({ ...plain!, watermark } as Verification).at(-1);
}

function withProblems(...problems: string[]): Verification {
  return { ...changed!, credentials: { ...changed!.credentials!, problems } };
}

test('an own file is intact, signed by this installation, and says how it was made', () => {
  assert.deepEqual(titlesOf(own!), [
    'good: Intact',
    'good: Signed by this installation',
    'open: How it was made',
    'open: A note in its XMP',
    'good: Watermark of guise',
  ]);
  const texts = findingsOf(own!).map(({ text }) => text);
  assert.equal(texts[1], 'Its certificate names "guise operator 97ede9b3".');
  const source = 'a composite with parts made by a trained algorithm (AI)';
  assert.equal(texts[2], `The signer says: ${source}, made with guise/0.2.0.`);
  assert.equal(
    texts[3],
    `The metadata of the file says: ${source}, made with guise. Anyone can write such a note.`,
  );
});

test('of an invalid signature only the fault is told', () => {
  const first = (verification: Verification): string => titlesOf(verification)[0]!;
  assert.equal(first(changed!), 'bad: Changed since it was signed');
  assert.equal(first(withProblems('assertion.bmffHash.mismatch')), 'bad: Changed since it was signed');
  assert.equal(first(withProblems('credentials.unreadable')), 'bad: Damaged signature');
  assert.equal(first(withProblems('file.unreadable')), 'bad: Too damaged to check');
  const other = findingsOf(withProblems('claimSignature.mismatch', 'a.b'))[0]!;
  assert.deepEqual(other, {
    tone: 'bad',
    title: 'Invalid signature',
    text: 'Its signature proves nothing. The faults: claimSignature.mismatch, a.b.',
  });
  assert.ok(!titlesOf(changed!).some((title) => /Signed by|How it was made/.test(title)));
});

test('a stranger is not believed, a signer of the same authority is', () => {
  const stranger: Verification = {
    ...own!,
    ownSignature: false,
    credentials: {
      ...own!.credentials!,
      trusted: false,
      signer: 'NASA',
      signedAt: '2026-11-01T10:00:00Z',
      digitalSourceType: null,
    },
  };
  assert.deepEqual(titlesOf(stranger).slice(0, 2), ['good: Intact', 'open: Signed by an unknown signer']);
  assert.match(findingsOf(stranger)[1]!.text, /"NASA".* Anyone can make .* at 2026-11-01T10:00:00Z\.$/);
  assert.ok(!titlesOf(stranger).includes('open: How it was made'));
  const known = { ...own!, ownSignature: false };
  assert.equal(titlesOf(known)[1], 'good: Signed by a known signer');
});

test('a file without marks is only said to have none', () => {
  assert.deepEqual(titlesOf(plain!), ['open: Not signed', 'open: No note in its XMP', 'open: No watermark']);
});

test('a watermark is told, and whether this installation put it in', () => {
  assert.deepEqual(watermarkFinding({ found: false, confidence: 0 }), {
    tone: 'open',
    title: 'No watermark',
    text: 'No invisible watermark of guise was found.',
  });
  assert.deepEqual(watermarkFinding({ found: true, confidence: 0.999, id: 'a1b2', ownInstallation: true }), {
    tone: 'good',
    title: 'Watermark of guise',
    text: 'The file has an invisible watermark: it was made with guise. This installation put it in. It is 100 % clear. Its id is a1b2.',
  });
  assert.equal(watermarkFinding({ found: true, confidence: 0.9, ownInstallation: false })!.tone, 'open');
});
