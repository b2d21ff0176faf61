import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrackWorn } from './worn.ts';

/** What a track decides, study after study, by the log-odds that each study tells. */
function decisions(told: readonly number[]): boolean[] {
  const worn = new TrackWorn();
  return told.map((logOdds, k) => worn.follow({ logOdds, isWorn: logOdds > 0 }, k === 0).isWorn);
}

test('the first study decides at once', () => {
  assert.deepEqual(decisions([0.5]), [true]);
  assert.deepEqual(decisions([-0.5]), [false]);
});

test('studies that say now this, now that, change nothing', () => {
  const wavering = Array.from({ length: 40 }, (_, k) => (k % 2 === 0 ? 1.5 : -1.5));
  assert.ok(decisions([3, ...wavering]).every((isWorn) => isWorn));
  assert.ok(decisions([-3, ...wavering]).every((isWorn) => !isWorn));
});

test('a hand before the eyes for one study changes nothing, however sure that is', () => {
  const seen = [5, 5, 5, 5, -60, 5, 5];
  assert.ok(decisions(seen).every((isWorn) => isWorn));
});

test('glasses that are taken off are off after a few studies, once and for all', () => {
  const after = decisions([...Array<number>(10).fill(5), ...Array<number>(20).fill(-5)]).slice(10);
  const off = after.indexOf(false);
  assert.ok(off > 0 && off < 10, `${off}`);
  assert.ok(after.slice(off).every((isWorn) => !isWorn));
});

test('a new scene begins anew', () => {
  const worn = new TrackWorn();
  for (let k = 0; k < 10; k++) worn.follow({ logOdds: 5, isWorn: true }, k === 0);
  assert.equal(worn.follow({ logOdds: -1, isWorn: false }, true).isWorn, false);
});
