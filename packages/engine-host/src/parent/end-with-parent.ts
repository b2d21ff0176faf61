import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Shell script that waits on its input: a line means that the child has exited; an end without one
 * means that the parent was killed.
 */
const WATCH = `trap '' HUP INT TERM; read -r line || kill -KILL "$1"`;

/**
 * Ends `child` when this process is gone, even if it was killed by SIGKILL and the child hangs in a
 * native call. The system closes the pipe to a small shell that waits for just that; a thread in
 * the child would cost 20 MB.
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
