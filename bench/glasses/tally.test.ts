import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Label } from './labels.ts';
import { tally } from './tally.ts';

const label = (file: string, person: string, glasses: Label['glasses']): Label => ({
  file,
  second: 0,
  at: [0, 0],
  size: 100,
  person,
  glasses,
});

test('found, missed and false are counted, clips by person, unknown ones nowhere', () => {
  const labels = [
    label('portraits/p1_a.jpg', 'p1', 'yes'),
    label('portraits/p2_b.jpg', 'p2', 'yes'),
    label('groups/g1_c.jpg', 'g1-1', 'yes'),
    label('groups/g1_c.jpg', 'g1-2', 'unknown'),
    label('video/v1_d.mp4', 'man', 'no'),
    label('video/v1_d.mp4', 'man', 'no'),
    label('portraits/p3_e.jpg', 'p3', 'no'),
  ];
  const counted = tally(labels, [2, -1, 3, 9, 1, 1, -2]);
  assert.equal(`${counted.foundPortraits} of ${counted.portraits}`, '1 of 2');
  assert.equal(`${counted.found} of ${counted.worn}`, '2 of 3');
  assert.equal(`${counted.falsePersons} of ${counted.barePersons}`, '1 of 2');
  assert.deepEqual(counted.missedNames, ['p2 (p2, 100 px) -1.0']);
  assert.equal(counted.falseNames.length, 2);
});
