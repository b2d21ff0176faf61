import path from 'node:path';

/**
 * Folder of the converted models for tests, so that each test file need not convert them again.
 * `ensureModels` keeps it right: its folders carry the version of the converter and are checked.
 */
export const TEST_MODELS = path.join(import.meta.dirname, '../../../../../node_modules/.cache/guise-models');
