import path from 'node:path';
import type { Offence } from './gate.ts';
import { isTest } from './source-file.ts';
import type { SourceTree } from './source-tree.ts';

/** Most source files that stand side by side in one folder; tests do not count. */
const MAX_FILES_IN_FOLDER = 30;

/** Finds folders with more files than one can hold in the head. */
export function checkFolders(tree: SourceTree): Offence[] {
  const folders = Map.groupBy(
    [...tree.files.keys()].filter((file) => !isTest(file)),
    (file) => path.posix.dirname(file),
  );
  return [...folders]
    .filter(([, files]) => files.length > MAX_FILES_IN_FOLDER)
    .map(([folder, files]) => ({
      file: folder,
      reason: `holds ${files.length} source files; ${MAX_FILES_IN_FOLDER} is the most`,
    }));
}
