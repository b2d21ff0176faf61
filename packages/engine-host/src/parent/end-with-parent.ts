import { spawn, type ChildProcess } from 'node:child_process';

/**
 * A line on its input says that there is nothing left to end; an end without one, that whoever held
 * the pipe was killed.
 */
const WATCH = `trap '' HUP INT TERM; read -r line || kill -KILL "$1"`;

/**
 * Ends `child` when this process is gone, even by SIGKILL and whatever the child is busy with: a
 * child sees its channel break only when its event loop turns, and one that hangs in a native call
 * would outlive us for ever. The system closes the pipe to a small shell that waits for just that.
 * (A thread of the child that watches for it costs 20 MB.)
 */
export function endWithParent(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const watch = spawn('/bin/sh', ['-c', WATCH, 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  watch.on('error', () => {});
  watch.stdin.on('error', () => {});
  watch.unref();
  child.once('exit', () => watch.stdin.end('gone\n'));
}
