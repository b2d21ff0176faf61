import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createEngine } from '@guise/engine/pipeline/engine.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import type { Key, SheetIndex } from './key.ts';
import { makeSheets } from './make-sheets.ts';
import { writeOutputs } from './outputs.ts';
import { hashOfPairs, type Pair } from './pair-list.ts';

const PORTRAIT = 'portraits/p63_ride_nasa.jpg';
const PAIRS: Pair[] = ['both', 'one', 'none'].map((id) => ({
  id,
  kind: 'still',
  source: 'portraits/p43_khandelwal.jpg',
  target: PORTRAIT,
  categories: ['plain'],
}));

async function writeVersion(dir: string, made: readonly string[]): Promise<void> {
  await mkdir(dir);
  for (const id of made) await copyFile(fixture(PORTRAIT), path.join(dir, `${id}.jpg`));
  const outputs = PAIRS.map(({ id }) => ({
    pair: id,
    file: made.includes(id) ? `${id}.jpg` : null,
    wallMs: 1,
  }));
  const revision = { engineVersion: path.basename(dir), commit: '0' };
  await writeOutputs(dir, { revision, pairsSha256: await hashOfPairs('hard'), outputs });
}

test(
  'graders get sheets and nothing that says which version is which',
  { skip: skipWithoutFixtures },
  async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'guise-make-sheets-'));
    const engine = await createEngine({ modelCacheDir: path.join(dir, 'models') });
    try {
      const dirs = { old: path.join(dir, 'was'), new: path.join(dir, 'is') };
      await writeVersion(dirs.old, ['both', 'one']);
      await writeVersion(dirs.new, ['both']);
      await makeSheets(engine, PAIRS, { list: 'hard', dirs, seed: 3, outDir: dir, apart: false });

      const key = JSON.parse(await readFile(path.join(dir, 'key.json'), 'utf8')) as Key;
      assert.deepEqual(key.refused, { old: ['none'], new: ['one', 'none'] });
      const shown = key.sheets.filter(({ isRepeat }) => !isRepeat).map(({ pair }) => pair);
      assert.deepEqual(shown.toSorted(), ['both', 'one']);
      assert.equal(key.sheets.length, 3, 'a tenth is shown twice, and one at least');
      const indexText = await readFile(path.join(dir, 'sheets', 'sheets.json'), 'utf8');
      assert.doesNotMatch(indexText, /old|new|both|was/);
      const index = JSON.parse(indexText) as SheetIndex;
      assert.deepEqual(
        (await readdir(path.join(dir, 'sheets'))).toSorted(),
        [...index.sheets.flatMap(({ files }) => files), 'sheets.json'].toSorted(),
      );
      for (const { number, pair, versions } of key.sheets) {
        const { files, graded } = index.sheets.find((sheet) => sheet.number === number)!;
        assert.deepEqual(graded, pair === 'both' ? [1, 2] : [versions.indexOf('old') + 1]);
        const { width, height } = await sharp(path.join(dir, 'sheets', files[0]!)).metadata();
        assert.ok(width > 1600 && height > 1600, 'two panels of 800 pixels each way');
      }
    } finally {
      await engine.close();
      await rm(dir, { recursive: true });
    }
  },
);

test('outputs of another list of pairs are refused', { skip: skipWithoutFixtures }, async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'guise-make-sheets-'));
  try {
    await writeOutputs(dir, {
      revision: { engineVersion: '', commit: '' },
      pairsSha256: 'other',
      outputs: [],
    });
    const settings = {
      list: 'hard',
      dirs: { old: dir, new: dir },
      seed: 1,
      outDir: dir,
      apart: false,
    } as const;
    await assert.rejects(makeSheets(null as never, PAIRS, settings), /another list of pairs/);
  } finally {
    await rm(dir, { recursive: true });
  }
});
