import type { Offence } from './gate.ts';
import { isTest, lineAt, resolveSpecifier, type SourceFile } from './source-file.ts';
import type { SourceTree } from './source-tree.ts';

/** What others install: who imports it is not here. */
const LIBRARIES = new Set(['packages/client/src/index.ts']);

/**
 * Finds exports that no other file imports, tests included. A type is left out if its own file uses
 * it, because it names a part of what that file exports.
 */
export function checkExports(tree: SourceTree): Offence[] {
  const used = new Map<string, Set<string>>();
  const usedWhole = new Set<string>();
  for (const file of tree.files.values()) {
    for (const { specifier, names } of file.imports) {
      const target = resolveSpecifier(specifier, file.path);
      if (target === null) continue;
      if (names === null) usedWhole.add(target);
      else for (const name of names) used.set(target, (used.get(target) ?? new Set()).add(name));
    }
  }
  return [...tree.files.values()]
    .filter(({ path }) => !usedWhole.has(path) && !isTest(path) && !LIBRARIES.has(path))
    .flatMap((file) =>
      file.exports
        .filter(
          ({ name, isType }) => !used.get(file.path)?.has(name) && !(isType && isUsedInside(file, name)),
        )
        .map(({ name, start }) => ({
          file: file.path,
          line: lineAt(file.text, start),
          reason: `nobody imports ${name}`,
        })),
    );
}

function isUsedInside({ text }: SourceFile, name: string): boolean {
  return text.split(new RegExp(`\\b${name}\\b`)).length > 2;
}
