import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSourceFile, type SourceFile } from './source-file.ts';

/** Input of the gates: parsed sources, and the texts of documents that may refer to one another. */
export interface SourceTree {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly documents: ReadonlyMap<string, string>;
  readonly exists: (repositoryPath: string) => boolean;
}

/** Patterns of the TypeScript files that the gates check. */
const SOURCES = [
  'packages/*/src/**/*.{ts,tsx}',
  'acceptance/**/*.ts',
  'bench/**/*.ts',
  'scripts/**/*.ts',
  'training/**/*.ts',
];

/** Patterns of texts that carry references but no code that is parsed. */
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'packages/**/*.md', 'migrations/*.sql', '.github/**/*.md'];

/** Reads the repository at `root`. */
export function readSourceTree(root: string): SourceTree {
  const read = (patterns: string[]) =>
    globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).map(
      (each) => [each.split(path.sep).join('/'), readFileSync(path.join(root, each), 'utf8')] as const,
    );
  return makeSourceTree(Object.fromEntries([...read(SOURCES), ...read(DOCUMENTS)]), (each) =>
    existsSync(path.join(root, each)),
  );
}

/** Builds a tree from texts by repository path; names that end in .ts or .tsx are parsed. */
export function makeSourceTree(
  texts: Readonly<Record<string, string>>,
  existsBeside: (repositoryPath: string) => boolean = () => false,
): SourceTree {
  const entries = Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    files: new Map(
      entries.filter(([name]) => isSource(name)).map(([name, text]) => [name, parseSourceFile(name, text)]),
    ),
    documents: new Map(entries.filter(([name]) => !isSource(name))),
    exists: (each) => each in texts || existsBeside(each),
  };
}

function isSource(name: string): boolean {
  return /\.tsx?$/.test(name);
}
