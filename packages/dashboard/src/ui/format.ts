/** Writes a time as the reader's own locale has it; a dash when there is none. */
export function formatTime(time: string | null): string {
  return time === null
    ? '-'
    : new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Writes a size in mebibytes, which readers know as MB. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
