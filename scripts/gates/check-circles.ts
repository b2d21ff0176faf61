import path from 'node:path';
import type { Offence } from './gate.ts';
import { isTest, resolveSpecifier } from './source-file.ts';
import type { SourceTree } from './source-tree.ts';
import { stronglyConnected } from './strongly-connected.ts';

/** Finds files that import one another in a circle; imports of types count. */
export function checkFileCircles(tree: SourceTree): Offence[] {
  return circlesBy(tree, (file) => file);
}

/** Finds folders, and packages, whose files import one another in a circle. */
export function checkFolderCircles(tree: SourceTree): Offence[] {
  return [...circlesBy(tree, path.posix.dirname), ...circlesBy(tree, packageOf)];
}

/** Returns `packages/x` for a file of a package, else its top folder. */
function packageOf(file: string): string {
  return file
    .split('/')
    .slice(0, file.startsWith('packages/') ? 2 : 1)
    .join('/');
}

/** Finds one offence for each arrow that stays inside a circle of nodes; tests are left out. */
function circlesBy(tree: SourceTree, nodeOf: (file: string) => string): Offence[] {
  const graph = new Map<string, Set<string>>();
  for (const file of tree.files.values()) {
    if (isTest(file.path)) continue;
    const from = nodeOf(file.path);
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const { specifier } of file.imports) {
      const target = resolveSpecifier(specifier, file.path);
      if (target !== null && tree.files.has(target) && nodeOf(target) !== from) targets.add(nodeOf(target));
    }
  }
  return stronglyConnected(graph).flatMap((circle) =>
    circle.flatMap((from) =>
      [...graph.get(from)!]
        .filter((to) => circle.includes(to))
        .map((to) => ({ file: from, reason: `imports ${to}, which leads back to it` })),
    ),
  );
}
