/** Longest first line of a commit, in characters: what lists of commits show whole. */
const MAX_SUBJECT_LENGTH = 72;

/** Matches `area: what it does now`, and the subject that `git revert` writes. */
const SUBJECT_FORM = /^(?:[a-z][a-z0-9 ,./-]*: \S|Revert ")/;

/** Matches lines that say who, and not why. */
const TRAILER = /^(?:signed-off-by|co-authored-by|reviewed-by|acked-by): /i;

/** Lists what is wrong with a commit's message; nothing if it may be merged. */
export function checkCommitMessage(message: string): string[] {
  const [subject = '', second = '', ...body] = message.trimEnd().split('\n');
  const says = body.filter((line) => line.trim() !== '' && !TRAILER.test(line));
  return [
    ...(subject.length > MAX_SUBJECT_LENGTH
      ? [`the subject has ${subject.length} characters; ${MAX_SUBJECT_LENGTH} is the most`]
      : []),
    ...(SUBJECT_FORM.test(subject) ? [] : ['the subject is not of the form "area: what it does now"']),
    ...(second === '' ? [] : ['the second line is not empty']),
    ...(says.length === 0 ? ['no body says why'] : []),
  ];
}
