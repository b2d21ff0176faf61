/** A thread of the engine process that ends it when its worker is gone, whatever the main thread is busy with. */
import { workerData } from 'node:worker_threads';

const CHECK_INTERVAL_MS = 1000;
const workerPid = workerData as number;

setInterval(() => {
  // An orphan is handed to init or to a subreaper: its parent changes.
  if (process.ppid !== workerPid) process.kill(process.pid, 'SIGKILL');
}, CHECK_INTERVAL_MS);
