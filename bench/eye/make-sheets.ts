import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { drawSheet } from './draw-sheet.ts';
import type { Key, SheetIndex } from './key.ts';
import { hashOfPairs, type ListName, type Pair } from './pair-list.ts';
import { pagesOfPair } from './pair-pages.ts';
import { planSheets } from './plan-sheets.ts';
import { type Outputs, readOutputs } from './outputs.ts';

/** Share of the pairs that are shown twice, to measure how consistent each grader is. */
const REPEATED_SHARE = 0.1;

export interface SheetSettings {
  readonly list: ListName;
  /**
   * Folders that `swap` made in the two checkouts. Without a new one, only the old one is graded.
   */
  readonly dirs: { readonly old: string; readonly new?: string };
  readonly seed: number;
  /** Folder for `key.json` and for the folder `sheets`. Graders see only `sheets`. */
  readonly outDir: string;
  /** Writes each row of panels to its own picture, for viewers that reduce large pictures. */
  readonly apart: boolean;
}

/** Draws the sheets of all pairs that were swapped by at least one version. */
export async function makeSheets(
  engine: Engine,
  pairs: readonly Pair[],
  settings: SheetSettings,
): Promise<void> {
  const { list, dirs, seed, outDir } = settings;
  const pairsSha256 = await hashOfPairs(list);
  const made = {
    old: await readOutputs(dirs.old),
    new: dirs.new === undefined ? noOutputs(pairs, pairsSha256) : await readOutputs(dirs.new),
  };
  const refused = {
    old: refusedPairs(made.old, pairs, pairsSha256),
    new: refusedPairs(made.new, pairs, pairsSha256),
  };
  const shown = pairs.filter(({ id }) => !(refused.old.includes(id) && refused.new.includes(id)));
  const sheets = planSheets(
    shown.map(({ id }) => id),
    Math.ceil(REPEATED_SHARE * shown.length),
    seed,
  );
  const key: Key = {
    seed,
    list,
    pairsSha256,
    revisions: { old: made.old.revision, new: made.new.revision },
    refused,
    sheets,
  };
  const sheetDir = path.join(outDir, 'sheets');
  await mkdir(sheetDir, { recursive: true });
  await writeFile(path.join(outDir, 'key.json'), `${JSON.stringify(key, null, 1)}\n`);

  const index: SheetIndex['sheets'][number][] = [];
  for (const { number, pair: id, versions } of sheets) {
    const pair = shown.find((each) => each.id === id)!;
    const results = versions.map((version) => {
      const { file } = made[version].outputs.find((output) => output.pair === id)!;
      return file && path.join(dirs[version]!, file);
    });
    const pages = await pagesOfPair(engine, pair, results);
    const parts = settings.apart
      ? pages.flatMap(({ panelPx, rows }) => rows.map((row) => ({ panelPx, rows: [row] })))
      : pages;
    const name = String(number).padStart(3, '0');
    const files = parts.map((_, at) => (parts.length === 1 ? `${name}.png` : `${name}-${at + 1}.png`));
    for (const [at, part] of parts.entries()) {
      const title = `Sheet ${number}${parts.length > 1 ? `, part ${at + 1} of ${parts.length}` : ''}`;
      await writeFile(path.join(sheetDir, files[at]!), await drawSheet(title, part));
    }
    index.push({ number, files, graded: [1, 2].filter((picture) => results[picture - 1] !== null) });
    console.log(`${number} of ${sheets.length}`);
  }
  const sheetIndex: SheetIndex = { seed, sheets: index };
  await writeFile(path.join(sheetDir, 'sheets.json'), `${JSON.stringify(sheetIndex)}\n`);
}

/** Returns the outputs of a missing version: no files. */
function noOutputs(pairs: readonly Pair[], pairsSha256: string): Outputs {
  const outputs = pairs.map(({ id }) => ({ pair: id, file: null, wallMs: 0 }));
  return { revision: { engineVersion: 'none', commit: 'none' }, pairsSha256, outputs };
}

function refusedPairs(made: Outputs, pairs: readonly Pair[], pairsSha256: string): string[] {
  if (made.pairsSha256 !== pairsSha256)
    throw new Error('The outputs belong to another list of pairs: swap again.');
  return pairs
    .filter(({ id }) => {
      const output = made.outputs.find(({ pair }) => pair === id);
      if (!output) throw new Error(`One of the folders has no output of ${id}: swap again.`);
      return output.file === null;
    })
    .map(({ id }) => id);
}
