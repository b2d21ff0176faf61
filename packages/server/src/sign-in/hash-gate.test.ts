import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@guise/contract/errors.ts';
import { type HashAsker, HashGate, MAX_WAITING_HASHES, MAX_RUNNING_HASHES } from './hash-gate.ts';

/** Work that ends on demand, and the order in which it began. */
function stage(gate: HashGate) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    enter: (asker: HashAsker, name: string): Promise<string> =>
      gate.run(asker, async () => {
        begun.push(name);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.push(resolve);
        await promise;
        return name;
      }),
    /** Ends what began first; resolves when its place was handed on. */
    async endNext(): Promise<void> {
      ends.shift()!();
      await new Promise(setImmediate);
    },
  };
}

test('two hashes run at once, each end lets one more in, and known askers go first', async () => {
  const { begun, enter, endNext } = stage(new HashGate());
  const all = ['a', 'b', 'c', 'd'].map((name) => enter('stranger', name));
  all.push(enter('known', 'owner'));
  await new Promise(setImmediate);
  assert.deepEqual(begun, ['a', 'b']);
  await endNext();
  assert.deepEqual(begun, ['a', 'b', 'owner']);
  await endNext();
  assert.deepEqual(begun, ['a', 'b', 'owner', 'c']);
  for (let left = 3; left > 0; left--) await endNext();
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd', 'owner']);
});

test('beyond a short queue strangers are refused, and known askers still have a place', async () => {
  const { enter, endNext } = stage(new HashGate());
  const inside = Array.from({ length: MAX_RUNNING_HASHES + MAX_WAITING_HASHES }, (_, n) =>
    enter('stranger', `${n}`),
  );
  await assert.rejects(enter('stranger', 'late'), (error: AppError) => {
    assert.equal(error.code, 'RATE_LIMITED');
    assert(error.details.resetSeconds! > 0);
    return true;
  });
  const owner = enter('known', 'owner');
  for (let n = 0; n <= inside.length; n++) await endNext();
  assert.equal(await owner, 'owner');
  assert.equal((await Promise.all(inside)).length, inside.length);
});

test('work that fails gives its place back', async () => {
  const gate = new HashGate();
  for (let n = 0; n < 3 * MAX_RUNNING_HASHES; n++) {
    await assert.rejects(
      gate.run('stranger', () => Promise.reject(new Error('no hash'))),
      /no hash/,
    );
  }
  assert.equal(await gate.run('stranger', () => Promise.resolve('in')), 'in');
});
