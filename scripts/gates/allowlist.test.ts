import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareWithAllowlist, countOffences, rebase, tighten, totalOf } from './allowlist.ts';
import type { Gate, Offence } from './gate.ts';

/** A gate that the tests give their own findings. */
const GATE: Gate = { name: 'width', rule: 'Lines are short.', find: () => [] };

function foundIn(...files: string[]): Map<Gate, Offence[]> {
  return new Map([[GATE, files.map((file) => ({ file, reason: 'too wide' }))]]);
}

describe('compareWithAllowlist', () => {
  it('is content where every file has the count that is listed', () => {
    const verdict = compareWithAllowlist({ width: { 'a.ts': 2 } }, foundIn('a.ts', 'a.ts'));
    assert.deepEqual(verdict, { offences: [], loose: [] });
  });

  it('shows all offences of a file that has one more, and of a file that is not listed', () => {
    const verdict = compareWithAllowlist({ width: { 'a.ts': 1 } }, foundIn('a.ts', 'a.ts', 'b.ts'));
    assert.deepEqual(
      verdict.offences.map(({ file }) => file),
      ['a.ts', 'a.ts', 'b.ts'],
    );
  });

  it('shows files that hold by now, or hold better than the list says', () => {
    const verdict = compareWithAllowlist({ width: { 'a.ts': 2, 'b.ts': 1 } }, foundIn('a.ts'));
    assert.deepEqual(verdict, {
      offences: [],
      loose: [
        { gate: 'width', file: 'a.ts', allowed: 2, found: 1 },
        { gate: 'width', file: 'b.ts', allowed: 1, found: 0 },
      ],
    });
  });
});

describe('tighten', () => {
  it('only takes away', () => {
    const allowed = { width: { 'a.ts': 2, 'b.ts': 1, 'c.ts': 1 } };
    const counts = countOffences(foundIn('a.ts', 'c.ts', 'c.ts', 'd.ts'));
    assert.deepEqual(tighten(allowed, counts), { width: { 'a.ts': 1, 'c.ts': 1 } });
    assert.equal(totalOf(counts, 'width'), 4);
  });
});

describe('rebase', () => {
  it('follows files that were moved, and keeps the lists of gates that did not run', () => {
    const allowed = { width: { 'old.ts': 1 }, circles: { 'a.ts': 2 } };
    assert.deepEqual(rebase(allowed, foundIn('new.ts')), { width: { 'new.ts': 1 }, circles: { 'a.ts': 2 } });
  });

  it('never lists what breaks a strict rule', () => {
    const strict = { ...GATE, name: 'layers', isStrict: true };
    assert.deepEqual(rebase({}, new Map([[strict, [{ file: 'a.ts', reason: 'upwards' }]]])), {});
  });
});
