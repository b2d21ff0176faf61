import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Shell script that waits on its input. A line means that the child has exited. An end without a
 * line means that the parent was killed.
 */
const WATCH = `trap '' HUP INT TERM; read -r line || kill -KILL "$1"`;

/**
 * Ends `child` when this process is gone, even if this process was killed by SIGKILL and the child
 * hangs in a native call. A small shell waits until the system closes its pipe; a thread in the
 * child would cost 20 MB.
 */
export function endWithParent(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const watch = spawn('/bin/sh', ['-c', WATCH, 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    // A signal for the whole process group must not end it together with the parent.
    detached: true,
  });
  watch.on('error', () => {});
  watch.stdin.on('error', () => {});
  watch.unref();
  child.once('exit', () => watch.stdin.end('gone\n'));
}
