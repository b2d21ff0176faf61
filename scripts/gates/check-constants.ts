import type { Offence } from './gate.ts';
import { isTest, lineAt, type SourceFile } from './source-file.ts';
import type { SourceTree } from './source-tree.ts';

/** Finds constants of the packages' modules that have no docblock of their own. */
export function checkConstants(tree: SourceTree): Offence[] {
  return [...tree.files.values()].filter(isProductCode).flatMap((file) => {
    const documented = new Set(
      file.comments
        .filter((comment) => comment.isDocblock)
        .map((comment) => comment.end + whitespaceAt(file.text, comment.end)),
    );
    return file.constants
      .filter(({ statementStart }) => statementStart === null || !documented.has(statementStart))
      .map(({ name, start }) => ({
        file: file.path,
        line: lineAt(file.text, start),
        reason: `${name} has no docblock of its own`,
      }));
  });
}

function isProductCode({ path }: SourceFile): boolean {
  return (
    path.startsWith('packages/') && path.includes('/src/') && !isTest(path) && !path.includes('/testing/')
  );
}

/** Returns the length of the white space that begins at an offset. */
function whitespaceAt(text: string, offset: number): number {
  return /^\s*/.exec(text.slice(offset))![0].length;
}
