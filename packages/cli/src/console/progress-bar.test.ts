import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressBar } from './progress-bar.ts';

/** Makes a bar with a fake terminal and a fake clock. */
function barOn({ isTTY = true } = {}) {
  const lines: string[] = [];
  const clock = { ms: 1000 };
  const write = (text: string): boolean => lines.push(text.replaceAll('\r\u001b[K', '')) > 0;
  const bar = new ProgressBar({ isTTY, write }, () => clock.ms);
  return { bar, lines, clock };
}

test('it is written where a terminal is, ten times a second at most, and never goes back', () => {
  const { bar, lines, clock } = barOn();
  bar.show(0.1);
  clock.ms += 50;
  bar.show(0.2);
  clock.ms += 50;
  bar.show(0.15);
  assert.deepEqual(lines, ['[###---------------------------] 10 %', '[######------------------------] 20 %']);
  bar.clear();
  bar.clear();
  assert.equal(lines.length, 3);
});

test('nothing is written elsewhere', () => {
  const { bar, lines } = barOn({ isTTY: false });
  bar.show(0.5);
  bar.clear();
  assert.deepEqual(lines, []);
});

test('the time that is left follows the speed, also when it changes', () => {
  const { bar, lines, clock } = barOn();
  const left = (): number => Number(/about (\d+) s/.exec(lines.at(-1)!)?.[1]);
  let progress = 0;
  const run = (seconds: number, aSecond: number): void => {
    for (let n = 0; n < seconds * 10; n++) {
      clock.ms += 100;
      progress += aSecond / 10;
      bar.show(progress);
    }
  };
  run(5, 0.05);
  assert.ok(Math.abs(left() - 15) <= 1, `${left()} s, not 15`);
  run(25, 0.01);
  assert.ok(Math.abs(left() - 50) <= 12, `${left()} s, not 50`);
});
