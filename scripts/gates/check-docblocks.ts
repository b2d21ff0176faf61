import type { Offence } from './gate.ts';
import { type Comment, lineAt, type SourceFile } from './source-file.ts';
import type { SourceTree } from './source-tree.ts';

/** Widest line of a comment, in columns, indentation included. */
export const MAX_COMMENT_COLUMNS = 100;

/**
 * Matches openers that say nothing without the declaration or the comment before: prepositions and
 * continuations.
 */
const BARE_OPENER = new RegExp(
  `^(${[
    'Of|For|In|As|By|On|To|From|With|Without|Under|Within|Into|Through|Beside|Besides|Beyond|Out of|At(?! (most|least))',
    'Before|After|Between|Until|Since|During|Among|Against|Above|Below|Behind',
    'The same|Same|Likewise|More so|Also|And|Or|But|So|Then|Else|Otherwise|Its|It|They|Their|Them|These|Those',
  ].join('|')})\\b`,
  'i',
);

/**
 * Finds docblocks that do not stand alone, because they open with a preposition or continue another
 * one.
 */
export function checkDocblockOpeners(tree: SourceTree): Offence[] {
  return offencesOfComments(tree, (file, comment) => {
    const first = comment.lines.find((line) => line !== '') ?? '';
    const opener = comment.isDocblock && !first.startsWith('@') ? BARE_OPENER.exec(first) : null;
    return opener
      ? [
          {
            file: file.path,
            line: lineAt(file.text, comment.start),
            reason: `docblock opens with "${opener[0]}"`,
          },
        ]
      : [];
  });
}

/** Finds lines of comments that are too wide to read beside the code. */
export function checkCommentWidth(tree: SourceTree): Offence[] {
  return offencesOfComments(tree, (file, comment) => {
    const lineStart = file.text.lastIndexOf('\n', comment.start - 1) + 1;
    const firstLine = lineAt(file.text, comment.start);
    return file.text
      .slice(lineStart, comment.end)
      .split('\n')
      .flatMap((line, offset) =>
        line.length > MAX_COMMENT_COLUMNS
          ? [{ file: file.path, line: firstLine + offset, reason: `comment reaches column ${line.length}` }]
          : [],
      );
  });
}

function offencesOfComments(
  tree: SourceTree,
  find: (file: SourceFile, comment: Comment) => Offence[],
): Offence[] {
  return [...tree.files.values()].flatMap((file) => file.comments.flatMap((comment) => find(file, comment)));
}
