import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { boundMemory } from './c2pa-module.ts';

interface Memory {
  grow(pages: number): number;
}
interface Scope {
  WebAssembly: {
    Module: new (binary: Uint8Array) => object;
    Instance: new (module: object) => { exports: { m: Memory } };
  };
}
const { WebAssembly } = globalThis as unknown as Scope;
/** A module with nothing but a memory of one page, without an upper bound, exported as `m`. */
const UNBOUNDED = Buffer.from('0061736d010000000503010001070501016d0200', 'hex');

function memoryOf(binary: Uint8Array): Memory {
  return new WebAssembly.Instance(new WebAssembly.Module(binary)).exports.m;
}

test('a bounded memory grows to its bound and no further', () => {
  const memory = memoryOf(boundMemory(UNBOUNDED, 300));
  assert.equal(memory.grow(299), 1);
  assert.throws(() => memory.grow(1), RangeError);
  assert.equal(memoryOf(UNBOUNDED).grow(300), 1);
});

test('a binary without a memory of its own is refused, not left unbounded', () => {
  assert.throws(() => boundMemory(UNBOUNDED.subarray(0, 8), 300), /no memory section/);
});

test('a load that failed is tried again', async () => {
  // In a thread of its own, because another test of this process may have loaded it.
  const code = `
    const assert = require('node:assert/strict');
    import(${JSON.stringify(import.meta.resolve('./c2pa-module.ts'))}).then(async ({ loadC2pa }) => {
      await assert.rejects(loadC2pa({}));
      assert.ok((await loadC2pa()).WasmBuilder);
      require('node:worker_threads').parentPort.postMessage('loaded');
    });
  `;
  const [message] = await once(new Worker(code, { eval: true }), 'message');
  assert.equal(message, 'loaded');
});
