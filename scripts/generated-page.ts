import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Root of the repository. */
const ROOT = path.resolve(import.meta.dirname, '..');

/**
 * Writes a file that is made from code. With the argument `--check`, only checks that it
 * is current, and fails the process if not.
 * @param name path from the root of the repository
 * @param script name of the npm script that calls this
 */
export function writePage(name: string, page: string, script: string): void {
  const file = path.join(ROOT, name);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, page);
  } else if (readFileSync(file, 'utf8') !== page) {
    console.error(`${name} is out of date: run \`npm run ${script}\``);
    process.exitCode = 1;
  }
}
