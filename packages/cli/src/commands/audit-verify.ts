import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  type ChainedEntry,
  type ChainProblem,
  type ChainReport,
  checkChain,
  parseEntry,
} from '@guise/server/operator/audit-chain.ts';
import { readChain, readHead } from '@guise/server/operator/read-chain.ts';
import { printResult } from '../console/print.ts';
import { requireReadable } from '../setup/output-file.ts';
import { withDatabase } from '../setup/with-database.ts';

/** Exit code for a log with an entry that is wrong. */
const FAILED_EXIT_CODE = 1;

export async function verifyAuditCommand(options: {
  readonly file?: string;
  readonly json?: true;
}): Promise<void> {
  const { file } = options;
  const report =
    file === undefined
      ? await withDatabase(async (db) => {
          const head = await readHead(db);
          return checkChain(readChain(db), head);
        })
      : await checkChain(readExport(file), null);
  printResult(options, report, describe(report));
  if (!report.intact) process.exitCode = FAILED_EXIT_CODE;
}

/** Reads the entries of an exported file. @throws Error with a readable message */
async function* readExport(file: string): AsyncGenerator<ChainedEntry> {
  await requireReadable(file);
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    const entry = parseEntry(line);
    if (entry === null) throw new Error(`Line ${number} of ${file} is not an entry of an audit log.`);
    yield entry;
  }
}

function describe({ entries, forgotten, newest, problem }: ChainReport): string[] {
  const lines = [problem === null ? 'The log is intact.' : describeProblem(problem)];
  lines.push(`Intact entries: ${entries}.`);
  if (forgotten > 0) lines.push(`Entries that forgot the names of a deleted account: ${forgotten}.`);
  if (entries > 0) lines.push(`Hash of the newest intact entry, number ${newest.id}: ${newest.hash}`);
  return lines;
}

function describeProblem({ entry, kind }: ChainProblem): string {
  if (kind === 'changed') return `NOT INTACT: entry ${entry} was changed.`;
  return kind === 'missing before'
    ? `NOT INTACT: the entry that was before entry ${entry} is missing.`
    : `NOT INTACT: entries after entry ${entry} are missing.`;
}
