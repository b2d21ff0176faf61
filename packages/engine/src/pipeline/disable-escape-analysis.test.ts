import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

// Makes four results of one function, whose compiled code is discarded while each is being made.
const script = `
  import { disableEscapeAnalysis } from '${new URL('disable-escape-analysis.ts', import.meta.url).href}';
  disableEscapeAnalysis();
  function other(step) { return { phase: 1, step }; }
  for (let i = 0; i < 10; i++) other(i + 0.5);
  function make(depth, list, odd) {
    return { phase: 1, step: (depth > 0 && list.push(make(depth - 1, list, odd)), odd.value) };
  }
  const fail = () => { try { make(1, [], null); } catch {} };
  %PrepareFunctionForOptimization(make);
  for (let i = 0; i < 6; i++) fail();
  %OptimizeMaglevOnNextCall(make);
  fail();
  %PrepareFunctionForOptimization(make);
  %OptimizeMaglevOnNextCall(make);
  const list = [];
  let made = 0;
  list.push(make(3, list, { get value() { return ++made + 0.5; } }));
  console.log(list.map(({ step }) => step).join());`;

test('objects whose making was interrupted by V8 keep their own numbers', () => {
  const args = ['--allow-natives-syntax', '--input-type=module', '--eval', script];
  assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim(), '1.5,2.5,3.5,4.5');
});
