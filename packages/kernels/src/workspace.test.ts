import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInKernelMemory } from './wasm/memory.ts';
import { heldBytes, Workspace } from './workspace.ts';

test('arrays are zero, apart from each other, and in kernel memory', () => {
  const workspace = new Workspace();
  for (let round = 0; round < 2; round++) {
    const arrays = [workspace.floats(100), workspace.bytes(33), workspace.floats(7)];
    for (const [k, each] of arrays.entries()) {
      assert.ok(isInKernelMemory(each));
      assert.ok(each.every((value) => value === 0));
      each.fill(k + 1);
    }
    for (const [k, each] of arrays.entries()) assert.ok(each.every((value) => value === k + 1));
    workspace.release();
  }
});

test('a copy has the values of what it copies, wherever that lies', () => {
  const workspace = new Workspace();
  const copy = workspace.copyOf(Float32Array.of(1, 2, 3));
  assert.deepEqual([...copy], [1, 2, 3]);
  assert.deepEqual([...workspace.copyOf(copy)], [1, 2, 3]);
  workspace.release();
});

test('released in any order, everything comes back in one piece', () => {
  const before = heldBytes();
  const spaces = Array.from({ length: 20 }, () => new Workspace());
  for (let k = 0; k < 200; k++) spaces[(k * 7) % 20]!.floats(((k * 7919) % 5000) + 1);
  assert.ok(heldBytes() > before);
  for (const k of [3, 19, 0, 7, 12, 1, 18, 5, 9, 2, 4, 6, 8, 10, 11, 13, 14, 15, 16, 17])
    spaces[k]!.release();
  assert.equal(heldBytes(), before);
  const whole = new Workspace();
  assert.ok(isInKernelMemory(whole.floats(90_000_000)));
  whole.release();
});

test('where the memory is full, arrays are ordinary', () => {
  const workspace = new Workspace();
  const held = heldBytes();
  const large = workspace.floats(110_000_000);
  assert.ok(!isInKernelMemory(large));
  assert.equal(large.length, 110_000_000);
  assert.equal(heldBytes(), held);
  workspace.release();
});
