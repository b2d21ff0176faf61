import { rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeFolder, removeLeftovers, runFolder } from './leftovers.ts';
import { STOP_EXIT_CODES, Stopped, type StopSignal } from './stopped.ts';

/** File descriptor of the standard error output. */
const STDERR = 2;

/** The folder in which one command works, and what ends it early. */
export interface Workspace {
  /** Folder that only we can read. It is always removed in the end. */
  readonly folder: string;
  /** Aborts when the user stops the command. */
  readonly stopping: AbortSignal;
  /**
   * Gives the output its own name; from then on the command cannot be stopped.
   * @param place does so in one go, without waiting
   */
  finish(place: () => void): void;
}

/**
 * Runs `use` in a folder of its own, which holds all that the command writes and lends until it is
 * finished. Ctrl-C ends the command and leaves nothing; a second one waits for nobody.
 * @param beside path of the output, on whose file system the folder is; null for a temporary one
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
  // `launch.cjs` of an older Node was killed, and nobody could stop this process any more.
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
    // Whatever failed then did so because of the stop.
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    await removeFolder(folder);
    for (const signal of signals) process.off(signal, onSignal);
    process.off('disconnect', onDisconnect);
  }
}
