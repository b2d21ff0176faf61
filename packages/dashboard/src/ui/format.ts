/** Formats a time for the user's locale; a dash if there is none. */
export function formatTime(time: string | null): string {
  return time === null
    ? '-'
    : new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a size in mebibytes, with the familiar unit MB. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
