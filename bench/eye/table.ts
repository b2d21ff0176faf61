import { readFile, writeFile } from 'node:fs/promises';
import { formatTable, tableRows } from './grade-table.ts';
import { parseGrading } from './grades.ts';
import type { Key } from './key.ts';
import { hashOfPairs, readPairs } from './pair-list.ts';
import { type Agreement, graderAgreement, missingGrades, repeatAgreement, verdictsOf } from './verdicts.ts';

/**
 * Prints the table and how well the graders agree. Writes all of it as JSON to `recordFile`, which
 * can be committed.
 */
export async function printTable(
  keyFile: string,
  gradesFiles: readonly string[],
  recordFile: string | undefined,
): Promise<void> {
  const key = JSON.parse(await readFile(keyFile, 'utf8')) as Key;
  if (key.pairsSha256 !== (await hashOfPairs(key.list)))
    throw new Error('The key belongs to another list of pairs.');
  const gradings = await Promise.all(
    gradesFiles.map(async (file) => parseGrading(await readFile(file, 'utf8'), key.seed)),
  );
  const rows = tableRows(await readPairs(key.list), verdictsOf(key, gradings));
  const agreement = {
    repeats: repeatAgreement(key, gradings),
    ownRepeats: Object.fromEntries(gradings.map((each) => [each.grader, repeatAgreement(key, [each])])),
    betweenGraders: graderAgreement(key, gradings),
  };
  for (const grading of gradings) {
    const missing = missingGrades(key, grading);
    if (missing.length > 0) console.error(`${grading.grader} did not grade ${missing.join(', ')}.`);
  }
  const { old: oldRevision, new: newRevision } = key.revisions;
  console.log(`old ${oldRevision.engineVersion} (${oldRevision.commit})`);
  console.log(`new ${newRevision.engineVersion} (${newRevision.commit})`);
  console.log(`seed ${key.seed}, ${gradings.length} graders\n\n${formatTable(rows)}\n`);
  console.log(`pairs shown twice, medians: ${describe(agreement.repeats)}`);
  for (const [grader, own] of Object.entries(agreement.ownRepeats)) {
    console.log(`pairs shown twice, ${grader}: ${describe(own)}`);
  }
  console.log(`between graders: ${describe(agreement.betweenGraders)}`);
  if (recordFile !== undefined) {
    await writeFile(recordFile, `${JSON.stringify({ key, gradings, rows, agreement }, null, 1)}\n`);
  }
}

function describe({ pictures, seam, likeness }: Agreement): string {
  const percent = (count: number): string =>
    pictures === 0 ? '-' : `${Math.round((100 * count) / pictures)} %`;
  const meetings = (of: Agreement['seam']): string =>
    `${percent(of.same)} the same, ${percent(of.withinOne)} within one`;
  return `${pictures} pictures; seam ${meetings(seam)}; likeness ${meetings(likeness)}`;
}
