import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart } from './plot.ts';

test('a chart has its points where the axes say, and nothing outside of them', () => {
  const svg = drawChart({
    title: 'Waits < 1 s & more',
    x: { name: 'machines', ticks: [1, 10, 100], isLogarithmic: true },
    y: { name: 'seconds', ticks: [0, 5, 10] },
    lines: [
      {
        name: 'p95',
        points: [
          [1, 0],
          [10, 5],
          [100, 400],
        ],
      },
    ],
  });
  const points = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  assert.deepEqual(points, [
    [64, 312],
    [342, 174],
    [620, 36],
  ]);
  assert.match(svg, /Waits &lt; 1 s &amp; more/);
});
