/**
 * SQLSTATEs of an unavailable server: broken connection, stop, crash, start, too many connections.
 */
const AWAY_SQLSTATE_PATTERN = /^(08...|57P0[123]|53300)$/;

/** Messages of the driver for a connection that broke or could not be opened in time. */
const AWAY_MESSAGE_PATTERN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** System calls that fail when the server is gone. */
const AWAY_SYSCALLS = new Set<unknown>(['connect', 'write']);
/** Code of a `read` from a server that is gone; a file that cannot be read has another one. */
const RESET_CODE = 'ECONNRESET';

/** Returns whether a statement failed because PostgreSQL cannot be reached at the moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  if (syscall !== undefined) return AWAY_SYSCALLS.has(syscall) || code === RESET_CODE;
  if (typeof code === 'string') return AWAY_SQLSTATE_PATTERN.test(code);
  return AWAY_MESSAGE_PATTERN.test(error.message);
}
