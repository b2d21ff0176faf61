/**
 * `npm run bench:watermark [-- --json --only PART --unmarked N]`: marks pictures and clips of the
 * fixtures, changes them as happens on the way through the net, and counts the marks that are read
 * back exactly; measures what a mark costs; and searches N pictures without a mark. Needs the
 * fixtures; without ffmpeg there is no H.264.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { benchClips } from './clips.ts';
import { benchCost } from './cost.ts';
import { benchStills } from './stills.ts';
import { benchUnmarked } from './unmarked.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** One part: stills, clips, cost or unmarked. */
    only: { type: 'string' },
    /** Number of pictures without a mark. Each takes a third of a second. */
    unmarked: { type: 'string', default: '10000' },
  },
});
if (skipWithoutFixtures !== false) throw new Error(skipWithoutFixtures);
const folder = await mkdtemp(path.join(tmpdir(), 'guise-watermark-'));
const parts = {
  stills: () => benchStills(folder),
  clips: () => benchClips(folder),
  cost: benchCost,
  unmarked: () => benchUnmarked(Number(values.unmarked)),
};
try {
  for (const [name, run] of Object.entries(parts)) {
    if (values.only !== undefined && values.only !== name) continue;
    const report = { [name]: await run() };
    if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
    else console.dir(report, { depth: null });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
