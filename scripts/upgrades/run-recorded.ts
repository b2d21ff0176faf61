import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Runs test files, and has the statements that the service sends meanwhile written into a folder.
 * @throws Error if a test fails
 */
export async function runRecorded(files: readonly string[], folder: string): Promise<void> {
  const recorder = path.join(import.meta.dirname, 'record-statements.ts');
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS = '', ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter=dot', ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...env, GUISE_STATEMENTS_DIR: folder, NODE_OPTIONS: `${NODE_OPTIONS} --import=${recorder}` },
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error('The tests must pass first.');
}
