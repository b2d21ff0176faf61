import { fork, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import type { UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import { ALLOCATOR_SETTINGS } from './allocator-settings.ts';
import { endWithParent } from './end-with-parent.ts';

/** Settings of one start of an engine process. */
export interface ForkOptions {
  /** Script to fork, which takes the arguments of `engine-child.ts`. */
  readonly script: string;
  /** Folder of the converted models. */
  readonly modelCacheDir: string;
  /** Whether to swap samples until the first job. */
  readonly warmUp: boolean;
  /** Working folder of the process, to which its relative paths refer. */
  readonly folder: string;
  /** User that it becomes before its first job; null to stay as we are. */
  readonly user: UnprivilegedUser | null;
}

/** Limit of the process's JavaScript heap, which excludes pixels. */
const HEAP_LIMIT_MEBIBYTES = 1024;
/**
 * Environment variables that the process gets. None gives access to the database or contains a
 * secret.
 */
const PASSED_ENVIRONMENT = [
  'PATH',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'LD_LIBRARY_PATH',
  'NODE_COMPILE_CACHE',
  'CUDA_VISIBLE_DEVICES',
];

/** Starts an engine process, which ends when this process does. */
export function forkEngine({ script, modelCacheDir, warmUp, folder, user }: ForkOptions): ChildProcess {
  const env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: getCompileCacheDir(), ...ALLOCATOR_SETTINGS };
  for (const name of PASSED_ENVIRONMENT) if (process.env[name] !== undefined) env[name] = process.env[name];
  const child = fork(script, [path.resolve(modelCacheDir), warmUp ? 'warm' : 'cold', JSON.stringify(user)], {
    cwd: folder,
    serialization: 'advanced',
    // A small nursery is collected often, which frees the images that its objects hold.
    execArgv: [
      `--max-old-space-size=${HEAP_LIMIT_MEBIBYTES}`,
      '--max-semi-space-size=4',
      '--disable-sigusr1',
    ],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // In a process group of its own, it does not get the Ctrl-C of a terminal, which would end it
    // before it can handle signals.
    detached: true,
    env,
  });
  endWithParent(child);
  return child;
}
