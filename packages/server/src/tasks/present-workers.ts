/** Time after which a worker that says nothing counts as gone, in seconds. */
export const THERE_SECONDS = 30;

/**
 * Time for which a task may wait while no worker holds its networks, in seconds. It is longer than
 * a restart of a worker.
 */
export const NETWORK_WAIT_SECONDS = 300;

/** SQL condition for workers that are there. */
export const IS_THERE = `seen_at > now() - interval '${THERE_SECONDS} s'`;
