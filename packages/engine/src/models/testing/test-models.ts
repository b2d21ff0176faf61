import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Folder of the converted models for tests, so that each test file need not convert them again.
 * `ensureModels` keeps it right: its folders carry the version of the converter and are checked.
 */
export const TEST_MODELS = path.join(import.meta.dirname, '../../../../../node_modules/.cache/guise-models');

/**
 * Gives the converted models of all tests to a data folder, which is made if it is not there, so
 * that what starts on it need not convert them.
 */
export async function shareModels(dataDir: string): Promise<void> {
  await mkdir(TEST_MODELS, { recursive: true });
  // PostgreSQL must reach its folder if it runs as another user.
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  try {
    await symlink(TEST_MODELS, path.join(dataDir, 'models'));
  } catch (error) {
    // The folder had them before.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
