import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelayMs } from './retry-schedule.ts';

const delays = (random: number): (number | null)[] =>
  Array.from({ length: 10 }, (_, index) => retryDelayMs(index + 1, random));

test('10 attempts: the first retries after about 5 s, 1 min and 5 min, the last after about 3 days', () => {
  const middle = delays(0.5);
  assert.deepEqual(middle.slice(0, 3), [5000, 60_000, 300_000]);
  assert.equal(middle[9], null);
  const days = middle.slice(0, 9).reduce<number>((sum, delay) => sum + delay!, 0) / 86_400_000;
  assert(days > 2.8 && days < 3.2, `${days} days`);
});

test('each delay varies by a fifth either way and is longer than the one before', () => {
  const [least, most] = [delays(0), delays(1)];
  assert.deepEqual([least[0], most[0]], [4000, 6000]);
  for (let index = 1; index < 9; index++) assert(least[index]! > most[index - 1]!, `delay ${index}`);
});
