import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Real media for tests and measurements. Not part of the repository: whoever has none sees those
 * tests skipped.
 */
const FIXTURES_DIR = process.env.GUISE_FIXTURES ?? path.resolve(import.meta.dirname, '../../shared/fixtures');

/** Reason for `test(name, { skip }, ...)`, or false if the fixtures are there. */
export const skipWithoutFixtures: string | false = existsSync(FIXTURES_DIR)
  ? false
  : 'the fixtures folder is absent';

export function fixture(relativePath: string): string {
  return path.join(FIXTURES_DIR, relativePath);
}
