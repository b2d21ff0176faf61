import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WornGlasses } from '../glasses/worn-glasses.ts';
import { decideWorn } from '../glasses/worn-glasses.ts';
import { TrackWorn } from './worn.ts';

/** What a track decides, study after study, by the log-odds that each study would tell. */
function decisions(told: readonly number[]): boolean[] {
  const worn = new TrackWorn();
  return told.map((logOdds, k) => worn.follow(() => decideWorn(logOdds), k === 0).isWorn);
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

test('a hand before the eyes in one study changes nothing, however sure that is', () => {
  for (let at = 1; at < 8; at++) {
    const told = Array.from({ length: 12 }, (_, k) => (k === at ? -60 : 5));
    assert.ok(decisions(told).every((isWorn) => isWorn));
  }
});

test('glasses that are taken off are off after some studies, once and for all', () => {
  const after = decisions([...Array<number>(10).fill(5), ...Array<number>(40).fill(-5)]).slice(10);
  const off = after.indexOf(false);
  assert.ok(off > 0 && off < 20, `${off}`);
  assert.ok(after.slice(off).every((isWorn) => !isWorn));
});

test('a new scene begins anew', () => {
  const worn = new TrackWorn();
  for (let k = 0; k < 10; k++) worn.follow(() => decideWorn(5), k === 0);
  assert.equal(worn.follow(() => decideWorn(-1), true).isWorn, false);
});

test('a face that is sure is looked at in every third study only', () => {
  const worn = new TrackWorn();
  let looks = 0;
  const look = (): WornGlasses => {
    looks += 1;
    return decideWorn(-5);
  };
  for (let k = 0; k < 30; k++) worn.follow(look, k === 0);
  assert.ok(looks >= 10 && looks <= 12, `${looks}`);
});
