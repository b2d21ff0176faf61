/** Formats a time for the user's locale; a dash if there is none. */
export function formatTime(time: string | null): string {
  return time === null
    ? '-'
    : new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats how long ago a time is, such as `5 min` or `3 d`. */
export function formatAge(time: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(time)) / 1000);
  if (seconds < 60) return 'now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** Formats a length of time in the largest unit that leaves no rest, such as `24 h`. */
export function formatSpan(seconds: number): string {
  if (seconds % 86_400 === 0 && seconds > 86_400) return `${seconds / 86_400} d`;
  if (seconds % 3600 === 0 && seconds > 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 && seconds > 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** Units of sizes, each 1024 times the one before. */
const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes in the largest unit of which there is at least one. */
export function formatBytes(bytes: number): string {
  const power = Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${SIZE_UNITS[power]}`;
}
