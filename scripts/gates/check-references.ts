import path from 'node:path';
import type { Offence } from './gate.ts';
import { lineAt } from './source-file.ts';
import type { SourceTree } from './source-tree.ts';

/**
 * Matches a page of docs/ with or without its heading, a decision by its number alone, and paths of
 * sources.
 */
const REFERENCE =
  /(?<![\w./-])(docs\/[\w-]+(?:\/[\w-]+)*(?:\.\w+)?(?:#[\w-]+)?(?![\w*-])|(?:packages|scripts|bench|acceptance|migrations)\/[\w./-]+\.(?:tsx?|md|sql|json))/g;

/** Matches a relative link of Markdown, without its title. */
const MARKDOWN_LINK = /\]\((?![a-z]+:)([^)\s]+)\)/g;

/**
 * Matches a spelling that no tool can resolve: the word, a colon or a comma, and the name of a
 * clause.
 */
const LOOSE_REFERENCE = /\b(?:[Dd]ecisions?|[Ss]pec)(?::|,) [`A-Z]|\bsee decisions\b/;

/** Finds comments and documents that point to a file or heading which does not exist. */
export function checkReferences(tree: SourceTree): Offence[] {
  const headings = new Map(
    [...tree.documents]
      .filter(([name]) => name.endsWith('.md'))
      .map(([name, text]) => [name, headingAnchors(text)]),
  );
  const reasonAgainst = (reference: string): string | null => {
    const [target, anchor] = reference.split('#') as [string, string?];
    const found = documentOf(tree, target);
    if (found === null) return `nothing stands at ${target}`;
    if (anchor === undefined || headings.get(found)?.has(anchor)) return null;
    return `${found} has no heading #${anchor}`;
  };
  const offencesIn = (file: string, line: number, text: string): Offence[] => {
    const reasons = [...text.matchAll(REFERENCE)].map((match) => reasonAgainst(match[1]!.replace(/\.$/, '')));
    if (LOOSE_REFERENCE.test(text))
      reasons.push('write the reference as docs/decisions/NNNN#heading or docs/spec/NAME#heading');
    return reasons.flatMap((reason) => (reason === null ? [] : [{ file, line, reason }]));
  };

  const inComments = [...tree.files.values()].flatMap(({ path: file, text, comments }) =>
    comments.flatMap(({ lines, start }) => offencesIn(file, lineAt(text, start), lines.join(' '))),
  );
  const linesOfDocuments = [...tree.documents].flatMap(([file, text]) =>
    text.split('\n').map((line, index) => ({ file, line: index + 1, text: line })),
  );
  const inMigrations = linesOfDocuments
    .filter(({ file }) => file.endsWith('.sql'))
    .flatMap(({ file, line, text }) => offencesIn(file, line, text));
  const inLinks = linesOfDocuments.flatMap(({ file, line, text }) =>
    [...text.matchAll(MARKDOWN_LINK)].flatMap((match) => {
      const reason = reasonAgainst(resolveLink(match[1]!, file));
      return reason === null ? [] : [{ file, line, reason }];
    }),
  );
  return [...inComments, ...inMigrations, ...inLinks];
}

/** Returns the anchors that GitHub gives to the headings of a document. */
export function headingAnchors(markdown: string): Set<string> {
  return new Set(
    [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm)].map((match) =>
      match[1]!
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/**
 * Finds the file that a reference names: as it is, without `.md`, or a decision by its number
 * alone.
 */
function documentOf(tree: SourceTree, target: string): string | null {
  if (tree.exists(target)) return target;
  if (tree.exists(`${target}.md`)) return `${target}.md`;
  if (!/\/\d{4}$/.test(target)) return null;
  return [...tree.documents.keys()].find((name) => name.startsWith(`${target}-`)) ?? null;
}

function resolveLink(link: string, document: string): string {
  const [target, anchor] = link.split('#') as [string, string?];
  const file = target === '' ? document : path.posix.join(path.posix.dirname(document), target);
  return `${file.replace(/\/$/, '')}${anchor === undefined ? '' : `#${anchor}`}`;
}
