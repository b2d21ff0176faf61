import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrate } from './calibrate.ts';
import type { Label } from './labels.ts';

const faces = (glasses: Label['glasses'], count: number): Label[] =>
  Array.from({ length: count }, (_, k) => ({
    file: 'portraits/p1_a.jpg',
    second: 0,
    at: [0, 0],
    size: 100,
    person: `${glasses}${k}`,
    glasses,
  }));

test('a score that is as likely with as without glasses gets log-odds of 0, a larger one more', () => {
  const labels = [...faces('yes', 4), ...faces('no', 4)];
  const { gain, offset } = calibrate(labels, [0.6, 0.8, 1, 0.2, 0, -0.2, 0.1, 0.4]);
  assert.ok(gain > 0);
  const even = -offset / gain;
  assert.ok(even > 0.2 && even < 0.4, `${even}`);
});

test('ten times as many faces without glasses move nothing', () => {
  const worn = [0.6, 0.8, 1, 0.2];
  const bare = [0, -0.2, 0.1, 0.4];
  const few = calibrate([...faces('yes', 4), ...faces('no', 4)], [...worn, ...bare]);
  const many = calibrate(
    [...faces('yes', 4), ...faces('no', 40)],
    [...worn, ...Array.from({ length: 10 }, () => bare).flat()],
  );
  assert.ok(Math.abs(few.gain - many.gain) < 1e-6 && Math.abs(few.offset - many.offset) < 1e-6);
});
