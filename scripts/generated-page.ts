import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Folder of the documents. */
const DOCS = path.resolve(import.meta.dirname, '../docs');

/**
 * Writes a file of docs/ that is made from code. With the argument `--check`, only checks that it
 * is current, and fails the process if not.
 * @param script name of the npm script that calls this
 */
export function writePage(name: string, page: string, script: string): void {
  const file = path.join(DOCS, name);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, page);
  } else if (readFileSync(file, 'utf8') !== page) {
    console.error(`docs/${name} is out of date: run \`npm run ${script}\``);
    process.exitCode = 1;
  }
}
