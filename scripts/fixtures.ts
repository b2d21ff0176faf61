import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Folder of real media for tests and measurements, which is not part of the repository; without it
 * those tests are skipped.
 */
const FIXTURES_DIR = process.env.GUISE_FIXTURES ?? path.resolve(import.meta.dirname, '../../shared/fixtures');

/** Reason for `test(name, { skip }, ...)`, or false if the fixtures are there. */
export const skipWithoutFixtures: string | false = existsSync(FIXTURES_DIR)
  ? false
  : 'the fixtures folder is absent';

export function fixture(relativePath: string): string {
  return path.join(FIXTURES_DIR, relativePath);
}
