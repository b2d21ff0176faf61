import { fork, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import type { UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import { ALLOCATOR_SETTINGS } from './allocator-settings.ts';
import { endWithParent } from './end-with-parent.ts';
import { warmUpDir } from '../protocol/warm-up-dir.ts';

export interface ForkOptions {
  /** The script to fork, which takes arguments as `engine-child.ts` does. */
  readonly script: string;
  readonly modelCacheDir: string;
  /** Run a sample through before the process is ready. */
  readonly warmUp: boolean;
  /** The process's own folder: it starts there, and relative paths of its jobs do. */
  readonly folder: string;
  /** Whom it becomes before its first job; null: it stays as we are. */
  readonly user: UnprivilegedUser | null;
}

const HEAP_LIMIT_MEBIBYTES = 1024;
/** What a child may see of this environment: nothing that opens the database or names a secret. */
const PASSED_ENVIRONMENT = ['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE'];

/**
 * A new engine process: it ends when this process does, and leaves no file of its warm-up behind.
 */
export function forkEngine({ script, modelCacheDir, warmUp, folder, user }: ForkOptions): ChildProcess {
  const env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: getCompileCacheDir(), ...ALLOCATOR_SETTINGS };
  for (const name of PASSED_ENVIRONMENT) if (process.env[name] !== undefined) env[name] = process.env[name];
  const cacheDir = path.resolve(modelCacheDir);
  const child = fork(script, [cacheDir, warmUp ? 'warm' : 'cold', JSON.stringify(user)], {
    cwd: folder,
    serialization: 'advanced',
    // A small nursery is swept often, and frees the pictures that hang on what it holds.
    execArgv: [
      `--max-old-space-size=${HEAP_LIMIT_MEBIBYTES}`,
      '--max-semi-space-size=4',
      '--disable-sigusr1',
    ],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env,
  });
  endWithParent(child);
  child.once('exit', () => {
    if (child.pid !== undefined) rmSync(warmUpDir(cacheDir, child.pid), { recursive: true, force: true });
  });
  return child;
}
