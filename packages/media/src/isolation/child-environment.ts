/**
 * All that a process which parses hostile bytes is told of our environment: no secret may be in its
 * memory.
 */
const PASSED = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'SYSTEMROOT', 'GUISE_VIDEO_BACKEND'];

export function childEnvironment(): Record<string, string> {
  const pairs = PASSED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}
