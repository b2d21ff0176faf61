import { parseSync } from 'rolldown/utils';
import path from 'node:path';

export interface Comment {
  /** Text between the delimiters, line by line, without the leading asterisks. */
  readonly lines: readonly string[];
  readonly isDocblock: boolean;
  /** Offsets into the file's text, delimiters included. */
  readonly start: number;
  readonly end: number;
}

export interface Import {
  readonly specifier: string;
  /** Names taken from the module; null stands for all of them. */
  readonly names: readonly string[] | null;
  readonly start: number;
}

export interface Export {
  readonly name: string;
  readonly isType: boolean;
  readonly start: number;
}

export interface Constant {
  readonly name: string;
  /**
   * Offset of its own declaration statement, or null if it shares the statement of another
   * constant.
   */
  readonly statementStart: number | null;
  readonly start: number;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly comments: readonly Comment[];
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
  /** Top-level constants in upper case. */
  readonly constants: readonly Constant[];
}

type ParsedModule = ReturnType<typeof parseSync>;

/** Matches what the module record leaves out: `import('./x.ts')` as an expression or as a type. */
const IMPORT_CALL = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** Matches names that follow the convention for constants. */
const CONSTANT_NAME = /^[A-Z][A-Z0-9_]*$/;

/** Parses one TypeScript file. Throws if its syntax is broken. */
export function parseSourceFile(filePath: string, text: string): SourceFile {
  const parsed = parseSync(filePath, text);
  const [failure] = parsed.errors;
  if (failure) throw new Error(`${filePath}: ${failure.message}`);
  return {
    path: filePath,
    text,
    comments: commentsOf(parsed),
    imports: importsOf(parsed, text),
    exports: exportsOf(parsed),
    constants: constantsOf(parsed),
  };
}

/** Returns the 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

export function isTest(filePath: string): boolean {
  return /\.test\.tsx?$/.test(filePath);
}

/** Returns the repository path that a specifier means, or null for a package from npm. */
export function resolveSpecifier(specifier: string, importer: string): string | null {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(importer), specifier);
  const own = /^@guise\/([^/]+)(?:\/(.+))?$/.exec(specifier);
  return own ? `packages/${own[1]}/src/${own[2] ?? 'index.ts'}` : null;
}

function commentsOf(parsed: ParsedModule): Comment[] {
  return parsed.comments.map(({ type, value, start, end }) => ({
    lines: value.split('\n').map((line) => line.replace(/^\s*\*+\s?/, '').trim()),
    isDocblock: type === 'Block' && value.startsWith('*'),
    start,
    end,
  }));
}

function importsOf(parsed: ParsedModule, text: string): Import[] {
  const plain = parsed.module.staticImports.map(({ moduleRequest, entries, start }) => {
    const names = entries.map(({ importName }) => importName.name ?? importName.kind);
    return {
      specifier: moduleRequest.value,
      names: names.includes('NamespaceObject') ? null : names,
      start,
    };
  });
  const passedOn = parsed.module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, importName, start }) =>
      moduleRequest
        ? [{ specifier: moduleRequest.value, names: importName.name ? [importName.name] : null, start }]
        : [],
    );
  const calls = [...text.matchAll(IMPORT_CALL)].map((match) => ({
    specifier: match[1]!,
    names: null,
    start: match.index,
  }));
  return [...plain, ...passedOn, ...calls];
}

function exportsOf(parsed: ParsedModule): Export[] {
  return parsed.module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName, isType, start }) =>
      exportName.kind === 'None' ? [] : [{ name: exportName.name ?? exportName.kind, isType, start }],
    );
}

function constantsOf(parsed: ParsedModule): Constant[] {
  return parsed.program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
    return declaration.declarations.flatMap(({ id }, position) =>
      id.type === 'Identifier' && CONSTANT_NAME.test(id.name)
        ? [{ name: id.name, statementStart: position === 0 ? statement.start : null, start: id.start }]
        : [],
    );
  });
}
