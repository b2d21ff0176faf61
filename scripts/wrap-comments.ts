import { parseSync } from 'rolldown/utils';
import { MAX_COMMENT_COLUMNS } from './gates/check-docblocks.ts';

/** One comment, or a run of line comments, that stands on lines of its own. */
interface OwnComment {
  readonly start: number;
  readonly end: number;
  readonly indent: string;
  readonly kind: 'docblock' | 'block' | 'line';
  readonly lines: readonly string[];
}

/** Matches lines that begin a paragraph of their own: tags and list items. */
const PARAGRAPH_START = /^(?:@\w|[-*] |\d+\. )/;

/** Matches lines whose breaks and spaces mean something: indented ones, tables and fences. */
const VERBATIM = /^(?: {2,}\S|\s*\||\s*```)/;

/** Matches comments that a tool reads. */
const DIRECTIVE = /oxlint-|@ts-/;

/**
 * Wraps the comments of a file that have a line beyond the widest one allowed; others stay as they
 * are.
 */
export function wrapComments(filePath: string, text: string): string {
  return ownComments(filePath, text)
    .filter(({ start, end }) => isTooWide(text.slice(start, end)))
    .reduceRight((result, comment) => {
      const { start, end } = comment;
      return result.slice(0, start) + rewrite(comment) + result.slice(end);
    }, text);
}

function isTooWide(source: string): boolean {
  return !DIRECTIVE.test(source) && source.split('\n').some((line) => line.length > MAX_COMMENT_COLUMNS);
}

function ownComments(filePath: string, text: string): OwnComment[] {
  const found: OwnComment[] = [];
  for (const { type, value, start, end } of parseSync(filePath, text).comments) {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const indent = text.slice(lineStart, start);
    if (indent.trim() !== '' || /^[^\n]*\S/.test(text.slice(end))) continue;
    const last = found.at(-1);
    const lines = value.split('\n').map((line) => line.replace(/^\s*\*? ?/, ''));
    if (type === 'Block') {
      const kind = value.startsWith('*') ? 'docblock' : 'block';
      found.push({ start: lineStart, end, indent, kind, lines });
    } else if (last?.kind === 'line' && last.end + 1 === lineStart && last.indent === indent) {
      found[found.length - 1] = { ...last, end, lines: [...last.lines, value.replace(/^ /, '')] };
    } else {
      found.push({ start: lineStart, end, indent, kind: 'line', lines: [value.replace(/^ /, '')] });
    }
  }
  return found;
}

function rewrite({ indent, kind, lines }: OwnComment): string {
  const margin = kind === 'line' ? `${indent}// ` : `${indent} * `;
  const body = paragraphsOf(lines).flatMap((paragraph) => wrap(paragraph, margin));
  if (kind === 'line') return body.join('\n');
  return [`${indent}${kind === 'docblock' ? '/**' : '/*'}`, ...body, `${indent} */`].join('\n');
}

/** Joins lines to paragraphs; verbatim and empty lines stay alone. */
function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of trimEmptyEnds(lines)) {
    const stands = line.trim() === '' || VERBATIM.test(line);
    if (isOpen && !stands && !PARAGRAPH_START.test(line))
      paragraphs.push(`${paragraphs.pop()} ${line.trim()}`);
    else paragraphs.push(stands ? line.trimEnd() : line.trim());
    isOpen = !stands;
  }
  return paragraphs;
}

function trimEmptyEnds(lines: readonly string[]): readonly string[] {
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}

function wrap(paragraph: string, margin: string): string[] {
  if (paragraph === '' || VERBATIM.test(paragraph)) return [`${margin}${paragraph}`.trimEnd()];
  const hanging = /^[-*] /.test(paragraph) ? '  ' : '';
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(margin + word);
    else if (last.length + 1 + word.length > MAX_COMMENT_COLUMNS) lines.push(margin + hanging + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function isFull(line: string): boolean {
  return line.trim() !== '';
}
