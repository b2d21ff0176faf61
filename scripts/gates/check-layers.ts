import path from 'node:path';
import type { Offence } from './gate.ts';
import { isTest, lineAt, resolveSpecifier } from './source-file.ts';
import type { SourceTree } from './source-tree.ts';
import { stronglyConnected } from './strongly-connected.ts';

/** Rules about who may import whom; `layers.json` holds them. */
export interface LayerRules {
  readonly layers: Readonly<Record<string, Layer>>;
  readonly never: readonly (readonly [from: string, to: string])[];
}

interface Layer {
  /** Folders that this one may import, with everything inside them. */
  readonly may: readonly string[];
  /** npm packages that it owns. */
  readonly packages: readonly string[];
}

/**
 * Finds imports that break the rules, and rules that hold nothing. A file belongs to the longest
 * folder with a layer, so a room inside a package has rules of its own.
 */
export function checkLayers(rules: LayerRules, tree: SourceTree): Offence[] {
  return [...checkRules(rules, tree), ...checkImports(rules, tree)];
}

function checkImports({ layers, never }: LayerRules, tree: SourceTree): Offence[] {
  const folders = Object.keys(layers).sort((a, b) => b.length - a.length);

  function reasonAgainst(importer: string, specifier: string): string | null {
    const folder = folders.find((each) => isInside(importer, each));
    if (folder === undefined) return 'its folder has no layer in layers.json';
    if (specifier.startsWith('node:')) return null;
    const target = resolveSpecifier(specifier, importer);
    if (target === null) {
      const name = packageName(specifier);
      return layers[folder]!.packages.includes(name) ? null : `${folder} does not own the package ${name}`;
    }
    const forbidden = never.find(([from, to]) => isInside(importer, from) && isInside(target, to));
    if (forbidden) return `${forbidden[0]} must never import ${forbidden[1]}`;
    const allowed = isInside(target, folder) || layers[folder]!.may.some((each) => isInside(target, each));
    return allowed ? null : `${folder} may not import ${path.posix.dirname(target)}`;
  }

  return [...tree.files.values()]
    .filter((file) => /^packages\/[^/]+\/src\//.test(file.path) && !isTest(file.path))
    .flatMap((file) =>
      file.imports.flatMap(({ specifier, start }) => {
        const reason = reasonAgainst(file.path, specifier);
        return reason === null
          ? []
          : [{ file: file.path, line: lineAt(file.text, start), reason: `import '${specifier}': ${reason}` }];
      }),
    );
}

/** Finds folders that hold no file, and layers that may import one another in a circle. */
function checkRules({ layers, never }: LayerRules, tree: SourceTree): Offence[] {
  const file = 'layers.json';
  const named = [...Object.keys(layers), ...Object.values(layers).flatMap(({ may }) => may), ...never.flat()];
  const empty = [...new Set(named)].filter(
    (folder) => ![...tree.files.keys()].some((each) => isInside(each, folder)),
  );
  const arrows = new Map(Object.entries(layers).map(([folder, { may }]) => [folder, new Set(may)]));
  return [
    ...empty.map((folder) => ({ file, reason: `no source file stands in ${folder}` })),
    ...stronglyConnected(arrows).map((circle) => ({
      file,
      reason: `these may import one another in a circle: ${circle.join(', ')}`,
    })),
  ];
}

function isInside(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
