/** Time after which a worker that says nothing counts as gone, in seconds. */
export const THERE_SECONDS = 30;

/** SQL condition for workers that are there. */
export const IS_THERE = `seen_at > now() - interval '${THERE_SECONDS} s'`;
