/** Form of a job id: `job_` and the digits of a UUID (docs/spec/details#job-ids). */
const JOB_ID = /^job_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Makes a job id from a task id. */
export function toJobId(taskId: string): string {
  return `job_${taskId.replaceAll('-', '')}`;
}

/** Parses the id of a job. @returns the UUID of its task; null if no job can have this id. */
export function taskIdOf(jobId: string): string | null {
  const parts = JOB_ID.exec(jobId);
  return parts === null ? null : parts.slice(1).join('-');
}
