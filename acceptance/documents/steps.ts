/** A command of a document, and what the document says that it answers. */
export interface Step {
  readonly command: string;
  /** Text that an answer must match, where `...` stands for anything; null if none is shown. */
  readonly answer: string | null;
}

/**
 * Reads the commands of a page's blocks of code without a language, in order. A line that ends in a
 * backslash goes on in the next; lines that begin with `# ` after a command are its answer.
 */
export function readSteps(page: string): Step[] {
  return [...page.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].flatMap(([, language, block]) =>
    language === '' ? stepsOf(block!) : [],
  );
}

/** A program that a document shows, and the name under which its reader saves it. */
export interface ShownFile {
  readonly name: string;
  readonly text: string;
}

/** Reads the programs of a page: the blocks of code whose language is followed by a file name. */
export function readFiles(page: string): ShownFile[] {
  return [...page.matchAll(/^```\w+ (\w+\.\w+)\n(.*?)^```$/gms)].map(([, name, text]) => ({
    name: name!,
    text: text!,
  }));
}

function stepsOf(block: string): Step[] {
  const steps: { command: string; answer: string[] }[] = [];
  let isOpen = false;
  for (const line of block.split('\n').filter((each) => each !== '')) {
    if (line.startsWith('# ')) steps.at(-1)?.answer.push(line.slice(2).trim());
    else if (isOpen) steps.at(-1)!.command += `\n${line}`;
    else steps.push({ command: line, answer: [] });
    isOpen = !line.startsWith('# ') && line.endsWith('\\');
  }
  return steps.map(({ command, answer }) => ({
    command,
    answer: answer.length === 0 ? null : answer.join(''),
  }));
}

/** Makes the pattern of an answer: what is not `...` must be there, in its order. */
export function patternOf(answer: string): RegExp {
  const parts = answer.split('...').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.map((part) => part.replaceAll(/\s+/g, '\\s*')).join('.*'), 's');
}
