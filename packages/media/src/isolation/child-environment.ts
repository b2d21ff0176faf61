/**
 * Environment variables that a process which parses untrusted bytes gets. None contains a secret.
 */
const PASSED_VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'SYSTEMROOT'];

/** Returns the environment of a child process. */
export function childEnvironment(): Record<string, string> {
  const pairs = PASSED_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}
