import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, shuffled } from './seeded-order.ts';

const THINGS = Array.from({ length: 50 }, (_, at) => at);

test('a seed gives the same order every time, another seed another one', () => {
  const order = shuffled(THINGS, seededRandom(7));
  assert.deepEqual(shuffled(THINGS, seededRandom(7)), order);
  assert.notDeepEqual(shuffled(THINGS, seededRandom(8)), order);
});

test('an order has everything once', () => {
  const order = shuffled(THINGS, seededRandom(7));
  assert.deepEqual(
    order.toSorted((one, other) => one - other),
    THINGS,
  );
});

test('every place is about equally likely', () => {
  const random = seededRandom(3);
  const firsts = [0, 0, 0, 0];
  for (let run = 0; run < 4000; run++) firsts[shuffled([0, 1, 2, 3], random)[0]!]! += 1;
  for (const count of firsts) assert.ok(count > 850 && count < 1150, `${firsts}`);
});
