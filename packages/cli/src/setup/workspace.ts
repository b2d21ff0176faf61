import { rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeFolder, removeLeftovers, runFolder } from './leftovers.ts';
import { STOP_EXIT_CODES, Stopped, type StopSignal } from './stopped.ts';

/** File descriptor of the standard error output. */
const STDERR = 2;

/** The folder of a running command, and the signal that stops it. */
export interface Workspace {
  /** Folder that only this user can read. It is always removed at the end. */
  readonly folder: string;
  /** Aborts when the user stops the command. */
  readonly stopping: AbortSignal;
  /**
   * Moves the output to its path. From then on, the command cannot be stopped.
   * @param place moves the file in one synchronous step
   */
  finish(place: () => void): void;
}

/**
 * Runs `use` in its own folder, which contains all temporary files of the command. Ctrl-C stops the
 * command and leaves no files; a second Ctrl-C stops it without waiting.
 * @param beside path of the output, next to which the folder is made; null for the system's
 * temporary folder
 * @throws Stopped if the user stopped the command
 */
export async function withWorkspace<T>(
  beside: string | null,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const near = beside ?? path.join(tmpdir(), 'guise');
  await removeLeftovers(near);
  const folder = await runFolder(near);
  const stop = new AbortController();
  let isFinished = false;
  const onSignal = (signal: StopSignal): void => {
    if (isFinished) return;
    if (!stop.signal.aborted) return stop.abort(new Stopped(signal));
    rmSync(folder, { recursive: true, force: true });
    writeSync(STDERR, `guise: ${stop.signal.reason.message}\n`);
    process.exit(STOP_EXIT_CODES[signal]);
  };
  const signals = Object.keys(STOP_EXIT_CODES) as StopSignal[];
  for (const signal of signals) process.on(signal, onSignal);
  // `launch.cjs`, which starts this process under an older Node, was killed. Nobody else could stop
  // this process.
  const onDisconnect = (): void => onSignal('SIGTERM');
  process.on('disconnect', onDisconnect);
  try {
    await mkdir(folder, { mode: 0o700 });
    const result = await use({
      folder,
      stopping: stop.signal,
      finish: (place) => {
        stop.signal.throwIfAborted();
        place();
        isFinished = true;
      },
    });
    if (!isFinished) stop.signal.throwIfAborted();
    return result;
  } catch (error) {
    // Any error after the stop was caused by the stop.
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    await removeFolder(folder);
    for (const signal of signals) process.off(signal, onSignal);
    process.off('disconnect', onDisconnect);
  }
}
