/**
 * Checks the messages of commits that were made after this file came into the repository. A shallow
 * clone is checked as far as it reaches; without git, or outside of a repository, nothing is.
 */
import { execFileSync } from 'node:child_process';
import { checkCommitMessage } from './check-commit-message.ts';

/** The file whose first commit is the last one that is not checked. */
const INTRODUCED_WITH = 'scripts/check-commits.ts';

/** Bytes that git may print: some ten thousand commits. */
const MAX_GIT_OUTPUT_BYTES = 64 * 1024 * 1024;

const first = git('log', '--diff-filter=A', '--format=%H', '--', INTRODUCED_WITH)?.trim().split('\n').at(-1);
if (first) checkAfter(first);
else console.log('commits: no history here to check');

/**
 * Checks the descendants of a commit, so that older branches that are merged later stay as they
 * are.
 */
function checkAfter(base: string): void {
  const log = git('log', '--no-merges', '--ancestry-path', '--format=%h%n%B%x00', `${base}..HEAD`) ?? '';
  const commits = log.split('\0').filter((each) => each.trim() !== '');
  const offences = commits.flatMap((each) => {
    const [hash = '', ...message] = each.trimStart().split('\n');
    return checkCommitMessage(message.join('\n')).map((reason) => `${hash} ${message[0]}: ${reason}`);
  });
  for (const each of offences) console.error(each);
  console.log(`commits: ${commits.length} checked, ${offences.length} complaints`);
  process.exitCode = offences.length > 0 ? 1 : 0;
}

/** Runs git here and returns what it prints, or null if there is no git or no repository. */
function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      maxBuffer: MAX_GIT_OUTPUT_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}
