import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkCommitMessage } from './check-commit-message.ts';

describe('checkCommitMessage', () => {
  it('takes a subject of 72 characters and a body', () => {
    const subject = `worker: ${'x'.repeat(64)}`;
    assert.deepEqual(checkCommitMessage(`${subject}\n\nBecause it was slow.\n`), []);
    assert.equal(checkCommitMessage(`${subject}x\n\nBecause it was slow.\n`).length, 1);
  });

  it('takes what `git revert` writes', () => {
    assert.deepEqual(checkCommitMessage('Revert "worker: faster"\n\nThis reverts commit 1234567.'), []);
  });

  it('refuses a subject without an area', () => {
    assert.deepEqual(checkCommitMessage('Fix it\n\nBecause.'), [
      'the subject is not of the form "area: what it does now"',
    ]);
  });

  it('refuses a message without a reason, trailers set aside', () => {
    assert.deepEqual(checkCommitMessage('worker: faster'), ['no body says why']);
    assert.deepEqual(checkCommitMessage('worker: faster\n\nSigned-off-by: A <a@example.org>'), [
      'no body says why',
    ]);
  });

  it('refuses a subject that runs into the body', () => {
    assert.deepEqual(checkCommitMessage('worker: faster\nand smaller\nBecause.'), [
      'the second line is not empty',
    ]);
  });
});
